import type { Endpoint, Path, Service } from '../../../spec/language/index.js'
import { ownershipNote } from '../../generated-file.js'
import { ownerUpdate } from '../client/operations.js'
import { description } from '../doc-comments.js'
import { type Json, type JsonObject, jsonObject, jsonText } from '../emit-context.js'
import { schemaDefinitions } from '../json-schema/structured-schema.js'
import { operationObject, security } from './operation.js'
import { headerParameters, pathParameters, pathTemplate } from './parameters.js'
import { errorResponses } from './responses.js'
import { envelopeSchemas, namedPropertiesOnly, reachableSchemas, schemasPrefix } from './schemas.js'

/** The paths to the properties of items: one path for all properties of an item. */
function propertyPaths(service: Service): readonly (readonly [template: string, item: JsonObject])[] {
  if (service.features.propertyPaths === 'none') return []
  const shapes = new Set(service.paths.map(path => shapeOf(pathTemplate(path))))
  return service.paths.flatMap(path => {
    const template = `${pathTemplate(path)}/{property}`
    const operations = propertyOperations(path, service)
    // OpenAPI allows no two templates that differ only in the names of their variables.
    if (operations.length === 0 || shapes.has(shapeOf(template))) return []
    return [[template, jsonObject(operations)] as const]
  })
}

const shapeOf = (template: string): string => template.replaceAll(/\{[^{}]*\}/g, '{}')

function propertyOperations({ endpoints }: Path, service: Service): readonly (readonly [string, Json])[] {
  const reader = endpoints.find(({ kind }) => kind === 'item')
  const updater = endpoints.find(({ kind }) => kind === 'update')
  if (reader === undefined) return []
  const read = propertyOperation('Read', reader, service, {
    '200': value,
    '204': { description: 'The value is null.' },
  })
  if (updater === undefined) return [['get', read]]
  const done = { '204': { description: 'Success.' } }
  const body = { required: true, content: { 'application/json': { schema: { type: 'object' } } } }
  return [
    ['get', read],
    ['put', jsonObject([...Object.entries(propertyOperation('Set', updater, service, done)), ['requestBody', body]])],
    ['delete', propertyOperation('Clear', updater, service, done)],
  ]
}

const value: Json = {
  description: 'The value in `value`. The members of a complex value are the body itself.',
  content: { 'application/json': { schema: { type: 'object' } } },
}

function propertyOperation(verb: string, endpoint: Endpoint, service: Service, responses: JsonObject): JsonObject {
  return jsonObject([
    ['operationId', `${endpoint.name}.${verb.toLowerCase()}Property`],
    ['summary', `${verb} a property of ${endpoint.kind === 'call' ? 'an item' : endpoint.type.name}`],
    ['parameters', [...pathParameters(endpoint), property, ...headerParameters(endpoint, service)]],
    ['responses', { ...responses, ...errorResponses(endpoint, service) }],
  ])
}

const property: JsonObject = {
  name: 'property',
  in: 'path',
  required: true,
  description: 'The name of a property.',
  schema: { type: 'string' },
}

/**
 * A service as an OpenAPI 3.1 document.
 *
 * @see OpenAPI 3.1.1
 */
export function emitOpenapi(service: Service): string {
  const described = paths(service)
  const schemas = {
    ...namedPropertiesOnly(schemaDefinitions(service, schemasPrefix)),
    ...envelopeSchemas(service),
  }
  return jsonText(
    jsonObject([
      ['openapi', '3.1.1'],
      ['x-generated', ownershipNote(service.name)],
      [
        'info',
        jsonObject([
          ['title', service.title],
          ['version', service.version],
          ['description', description(service)],
        ]),
      ],
      ['servers', [{ url: `/${encodeURIComponent(service.version)}` }]],
      ...(service.authentication.scheme === 'none' ? ([['security', []]] as const) : []),
      ['paths', described],
      [
        'components',
        jsonObject([
          ['schemas', reachableSchemas(described, schemas)],
          ['responses', acceptedComponents(service)],
          ['securitySchemes', securitySchemes(service)],
        ]),
      ],
    ]),
  )
}

function paths(service: Service): JsonObject {
  const described = service.paths.map((path): readonly [string, Json] => [
    pathTemplate(path),
    jsonObject([
      ['description', description(path)],
      ...path.endpoints.map(endpoint => [endpoint.method.toLowerCase(), operationObject(endpoint, service)] as const),
    ]),
  ])
  return jsonObject([
    ...described,
    ...propertyPaths(service),
    ...referencePaths(service),
    ...batchPath(service),
    ...statusMonitorPath(service),
  ])
}

function securitySchemes({ authentication }: Service): Json | undefined {
  if (authentication.scheme === 'none') return undefined
  const scopes = authentication.scopes.map(scope => `- \`${scope.name}\`: ${scope.description}`)
  const about = [description(authentication), scopes.length === 0 ? undefined : `Scopes:\n\n${scopes.join('\n')}`]
  const text = about.filter(part => part !== undefined).join('\n\n')
  return {
    bearer: jsonObject([
      ['type', 'http'],
      ['scheme', 'bearer'],
      ['description', text === '' ? undefined : text],
    ]),
  }
}

/** The path of batches, if the service has one. @see OData JSON Format 4.01, 19 (batch requests and responses) */
function batchPath({ features }: Service): readonly (readonly [template: string, item: JsonObject])[] {
  return features.batch === 'none' ? [] : [['/$batch', { post: batchOperation }]]
}

const content = (schema: Json): Json => ({ 'application/json': { schema } })

const list = (name: string, item: JsonObject, required: readonly string[]): Json => ({
  type: 'object',
  required: [name],
  properties: { [name]: { type: 'array', items: { type: 'object', required, properties: item } } },
})

const headers: Json = { type: 'object', additionalProperties: { type: 'string' } }

const batchOperation: Json = {
  operationId: 'batch',
  summary: 'Several requests in one',
  requestBody: {
    required: true,
    content: content(
      list(
        'requests',
        {
          id: { type: 'string' },
          method: { enum: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] },
          url: { type: 'string', description: 'Relative to the service.' },
          headers,
          body: {},
          dependsOn: { type: 'array', items: { type: 'string' } },
          atomicityGroup: { type: 'string' },
        },
        ['id', 'method', 'url'],
      ),
    ),
  },
  responses: {
    '200': {
      description: 'The response to each request.',
      content: content(
        list('responses', { id: { type: 'string' }, status: { type: 'integer' }, headers, body: {} }, ['id', 'status']),
      ),
    },
    '4XX': { description: 'The batch is malformed. None of its requests ran.' },
  },
}

const isOffered = ({ features }: Service): boolean => features.respondAsync !== 'none'

/** The path of the status monitors, if the service has them. @see OData Protocol 4.01, 11.6 (asynchronous requests) */
export function statusMonitorPath(service: Service): readonly (readonly [template: string, item: JsonObject])[] {
  if (!isOffered(service)) return []
  const parameters: Json = [{ name: 'monitor', in: 'path', required: true, schema: { type: 'string' } }]
  const get = operation('readStatusMonitor', 'Read the response of a request with `Prefer: respond-async`', {
    '200': { description: 'The response of the request, with its status in the header AsyncResult.' },
    '202': { $ref: acceptedReference },
  })
  const cancel = operation('cancelRequest', 'Cancel a request with `Prefer: respond-async`', {
    '204': { description: 'The request is cancelled, and its result is removed.' },
  })
  return [['/$async/{monitor}', { parameters, get, delete: cancel }]]
}

function operation(operationId: string, summary: string, responses: JsonObject): Json {
  const failures = { '404': { description: 'There is no such request.' }, default: { description: 'An error.' } }
  return { operationId, summary, responses: { ...responses, ...failures } }
}

const acceptedReference = '#/components/responses/accepted'

/** The shared response with the URL of a status monitor. Undefined: the service has none. */
export function acceptedComponents(service: Service): JsonObject | undefined {
  if (!isOffered(service)) return undefined
  const headers: Json = {
    Location: { description: 'The URL of the status monitor.', schema: { type: 'string' } },
    'Retry-After': { description: 'When to ask it, in seconds.', schema: { type: 'string' } },
  }
  return { accepted: { description: 'The request runs. The caller sent `Prefer: respond-async`.', headers } }
}

/**
 * The paths to the links of relations, `/books/{isbn}/authors/$ref`: read where the related items are read, and changed where
 * the item is patched.
 *
 * @see OData Protocol 4.01, 11.2.9 (entity references) and 11.4.6 (modifying relationships)
 */
function referencePaths(service: Service): readonly (readonly [template: string, item: JsonObject])[] {
  if (service.features.references === 'none') return []
  return service.paths.flatMap(path => {
    const operations = referenceOperations(path, service)
    return operations.length === 0 ? [] : [[`${pathTemplate(path)}/$ref`, jsonObject(operations)] as const]
  })
}

function referenceOperations({ endpoints }: Path, service: Service): readonly (readonly [string, Json])[] {
  const reader = endpoints.find(({ kind }) => kind === 'collection' || kind === 'item')
  const last = reader?.resolved.at(-1)
  if (reader === undefined || last?.kind !== 'navigation') return []
  const { name, collection, contained } = last.property
  const to = (verb: string, summary: string, updater: Endpoint, more: readonly (readonly [string, Json])[]): Json =>
    jsonObject([
      ['operationId', `${reader.name}.${verb}Reference`],
      ['summary', summary],
      ['security', security(updater, service)],
      ['parameters', [...pathParameters(reader), ...headerParameters(updater, service)]],
      ...more,
      ['responses', { ...done, ...errorResponses(updater, service) }],
    ])
  const read = jsonObject([
    ['operationId', `${reader.name}.readReference`],
    ['summary', `Read the ${collection ? 'links' : 'link'} of ${name}`],
    ['security', security(reader, service)],
    ['parameters', pathParameters(reader)],
    [
      'responses',
      {
        '200': {
          description: collection ? 'The links.' : 'The link.',
          content: jsonContent(collection ? links : link),
        },
        ...(collection ? {} : { '204': { description: 'There is no related item.' } }),
        ...errorResponses(reader, service),
      },
    ],
  ])
  const updater = contained ? undefined : ownerUpdate(reader, service)
  if (updater === undefined) return [['get', read]]
  const body = [['requestBody', { required: true, content: jsonContent(link) }]] as const
  if (!collection) {
    return [
      ['get', read],
      ['put', to('set', `Replace the link of ${name}`, updater, body)],
      ['delete', to('clear', `Remove the link of ${name}`, updater, [])],
    ]
  }
  const removed = jsonObject([
    ['operationId', `${reader.name}.removeReference`],
    ['summary', `Remove a link of ${name}`],
    ['security', security(updater, service)],
    ['parameters', [...pathParameters(reader), id, ...headerParameters(updater, service)]],
    ['responses', { ...done, ...errorResponses(updater, service) }],
  ])
  return [
    ['get', read],
    ['post', to('add', `Add a link to ${name}`, updater, body)],
    ['delete', removed],
  ]
}

const done: JsonObject = { '204': { description: 'Success.' } }

const jsonContent = (schema: Json): JsonObject => ({ 'application/json': { schema } })

const link: Json = {
  type: 'object',
  required: ['@odata.id'],
  properties: { '@odata.id': { type: 'string', description: 'The URL of the related item.' } },
}

const links: Json = { type: 'object', required: ['value'], properties: { value: { type: 'array', items: link } } }

const id: Json = {
  name: '$id',
  in: 'query',
  required: true,
  description: 'The URL of the related item.',
  schema: { type: 'string' },
}
