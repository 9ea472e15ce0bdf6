import {
  changesOfList,
  type Endpoint,
  type EntityType,
  type ErrorDefinition,
  handlerErrors,
  isUpsert,
  type ReadEndpoint,
  type ReturnType,
  type Service,
  type StreamEndpoint,
} from '../../../spec/language/index.js'
import { type Json, type JsonObject, jsonObject } from '../emit-context.js'
import { valueSchema } from '../json-schema/structured-schema.js'
import {
  deltaLink,
  envelopeSchemaName,
  errorSchemaName,
  schemaReference,
  schemasPrefix,
  shapeReference,
} from './schemas.js'

/** A page of items, with a delta link if the caller can prefer one. */
function pageSchema(endpoint: ReadEndpoint, service: Service): Json {
  const page = schemaReference(envelopeSchemaName(endpoint.type, 'collection'))
  if (changesOfList(endpoint, service) === undefined) return page
  return { allOf: [page, { type: 'object', properties: jsonObject([deltaLink]) }] }
}

/** The success responses of an endpoint, by status. */
export function successResponses(endpoint: Endpoint, service: Service): JsonObject {
  const status = String(endpoint.status)
  switch (endpoint.kind) {
    case 'collection':
      return jsonObject([[status, json('A page of items.', pageSchema(endpoint, service))]])
    case 'delta':
      return jsonObject([
        [status, json('A page of changes.', schemaReference(envelopeSchemaName(endpoint.type, 'delta')))],
      ])
    case 'count':
      return jsonObject([[status, count]])
    case 'item':
      return jsonObject([
        [status, json('The item.', shapeReference(endpoint.type, 'read'), tagHeader(endpoint.type))],
        ['204', endpoint.absent === 204 ? empty('There is no such item.') : undefined],
        ['304', endpoint.ifNoneMatch === 'none' ? undefined : empty('The item has not changed.')],
      ])
    case 'create':
      return changed(endpoint.type, status === '204' ? '201' : status, 'The created item.', true)
    case 'update':
    case 'replace':
      return jsonObject([
        ...(isUpsert(endpoint, service)
          ? Object.entries(changed(endpoint.type, '201', 'The created item.', true)).slice(0, 1)
          : []),
        ...Object.entries(changed(endpoint.type, status === '204' ? '200' : status, 'The changed item.', false)),
      ])
    case 'delete':
      return jsonObject([[status, empty('The item is deleted.')]])
    case 'createMedia':
      return changed(endpoint.type, status === '204' ? '201' : status, 'The created item.', true)
    case 'readStream':
      return jsonObject([
        [
          status,
          jsonObject([
            ['description', 'The stream.'],
            ['headers', streamTagHeader],
            ['content', streamContent(endpoint)],
          ]),
        ],
        ['204', empty('There is no such stream.')],
        [
          '206',
          jsonObject([
            ['description', 'A part of the stream.'],
            ['content', streamContent(endpoint)],
          ]),
        ],
        ['304', endpoint.ifNoneMatch === 'none' ? undefined : empty('The stream has not changed.')],
      ])
    case 'replaceStream':
      return jsonObject([[status, empty('The stream is stored.', streamTagHeader)]])
    case 'deleteStream':
      return jsonObject([[status, empty('The stream is deleted.')]])
    case 'call':
      return jsonObject([
        [endpoint.operation.returns === undefined ? '204' : status, result(endpoint.operation.returns)],
      ])
  }
}

/** The bytes of a stream, by media type. @see OpenAPI 3.1, 4.8.14.2 (binary data) */
export function streamContent({ type, property }: StreamEndpoint): JsonObject {
  const declared = property === undefined ? type.mediaTypes : (property.mediaTypes ?? [])
  const mediaTypes = declared.length === 0 ? ['*/*'] : declared
  return jsonObject(mediaTypes.map(mediaType => [mediaType, {}]))
}

const streamTagHeader: JsonObject = {
  ETag: { description: 'The entity tag of the stream.', schema: { type: 'string' } },
}

/** With the item, or without it if the caller prefers that. */
function changed(type: EntityType, status: string, about: string, isNew: boolean): JsonObject {
  const headers = { ...(isNew ? locationHeader : {}), ...tagHeader(type) }
  return jsonObject([
    [status, json(about, shapeReference(type, 'read'), headers)],
    ['204', empty('Success. The caller prefers a response without the item.', headers)],
  ])
}

const count: Json = {
  description: 'The number of items.',
  content: {
    'text/plain': { schema: { type: 'integer', minimum: 0 } },
    'application/json': { schema: { type: 'integer', minimum: 0 } },
  },
}

function result(returns: ReturnType | undefined): Json {
  if (returns === undefined) return empty('Done.')
  const { type, collection } = returns
  if (collection && type.kind === 'entityType') {
    return json('A page of items.', schemaReference(envelopeSchemaName(type, 'collection')))
  }
  const isStructured = type.kind === 'entityType' || type.kind === 'complexType'
  const schema = valueSchema(returns, 'read', { prefix: schemasPrefix, geoTypes: new Set() })
  if (isStructured && !collection) return json('The result.', schema)
  return json('The result.', { type: 'object', required: ['value'], properties: { value: schema } })
}

function json(about: string, schema: Json, headers: JsonObject = {}): Json {
  return jsonObject([
    ['description', about],
    ['headers', Object.keys(headers).length === 0 ? undefined : headers],
    ['content', { 'application/json': { schema } }],
  ])
}

function empty(about: string, headers: JsonObject = {}): Json {
  return jsonObject([
    ['description', about],
    ['headers', Object.keys(headers).length === 0 ? undefined : headers],
  ])
}

const locationHeader: JsonObject = {
  Location: { description: 'The address of the created item.', schema: { type: 'string' } },
}

function tagHeader({ entityTag }: EntityType): JsonObject {
  if (entityTag === 'none') return {}
  return { ETag: { description: `The entity tag (${entityTag}).`, schema: { type: 'string' } } }
}

/** The errors that an endpoint declares, by status; each code is an example. Any other error has the same body. */
export function errorResponses(endpoint: Endpoint, service: Service): JsonObject {
  const byStatus = new Map<number, ErrorDefinition[]>()
  for (const error of declaredErrors(endpoint, service)) {
    byStatus.set(error.status, [...(byStatus.get(error.status) ?? []), error])
  }
  const statuses = [...byStatus].sort(([left], [right]) => left - right)
  return jsonObject([
    ...statuses.map(([status, errors]) => [String(status), response(errors)] as const),
    ['default', { description: 'Any other error.', content: { 'application/json': { schema: errorSchema } } }],
  ])
}

const errorSchema = schemaReference(errorSchemaName)

function declaredErrors(endpoint: Endpoint, service: Service): ReadonlySet<ErrorDefinition> {
  const { authentication, faults } = service
  const query = 'query' in endpoint ? endpoint.query : undefined
  const carriesBody = endpoint.method === 'POST' || endpoint.method === 'PATCH' || endpoint.method === 'PUT'
  const isConditional = 'ifMatch' in endpoint && endpoint.ifMatch === 'required'
  const errors = [
    authentication.missing,
    endpoint.scopes.length === 0 ? undefined : authentication.insufficient,
    ...handlerErrors(endpoint, faults),
    ...(query === undefined ? [] : [faults.malformedQueryOption, faults.unsupportedQueryOption]),
    ...(query?.requires.map(condition => condition.otherwise) ?? []),
    ...(carriesBody ? [faults.malformedBody, faults.unsupportedMediaType] : []),
    isConditional ? faults.preconditionRequired : undefined,
  ]
  return new Set(errors.filter(error => error !== undefined))
}

function response(errors: readonly ErrorDefinition[]): Json {
  const examples = errors.map(
    ({ name, code, message }) => [name, { value: { error: { code, message } } } satisfies Json] as const,
  )
  return {
    description: errors.map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n'),
    content: { 'application/json': { schema: errorSchema, examples: jsonObject(examples) } },
  }
}
