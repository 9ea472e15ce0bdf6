import type { Endpoint, EntityType, ReturnType } from '../../../spec/language/model/index.js'
import { type Json, type JsonObject, jsonObject } from '../json-schema/json.js'
import { valueSchema } from '../json-schema/value-schema.js'
import { envelopeSchemaName, schemaReference, schemasPrefix, shapeReference } from './schema-reference.js'

/** What an endpoint answers when all is well, by status. */
export function successResponses(endpoint: Endpoint): JsonObject {
  const status = String(endpoint.status)
  switch (endpoint.kind) {
    case 'collection':
      return jsonObject([
        [status, json('A page of items.', schemaReference(envelopeSchemaName(endpoint.type, 'collection')))],
      ])
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
        ['304', endpoint.ifNoneMatch === 'none' ? undefined : empty('The item is as the caller has it.')],
      ])
    case 'create':
      return changed(endpoint.type, status === '204' ? '201' : status, 'The created item.', true)
    case 'update':
    case 'replace':
      return changed(endpoint.type, status === '204' ? '200' : status, 'The changed item.', false)
    case 'delete':
      return jsonObject([[status, empty('The item is deleted.')]])
    case 'call':
      return jsonObject([
        [endpoint.operation.returns === undefined ? '204' : status, result(endpoint.operation.returns)],
      ])
  }
}

/** With the item, or without when the caller prefers that. */
function changed(type: EntityType, status: string, about: string, isNew: boolean): JsonObject {
  const headers = { ...(isNew ? locationHeader : {}), ...tagHeader(type) }
  return jsonObject([
    [status, json(about, shapeReference(type, 'read'), headers)],
    ['204', empty('Done; the caller prefers not to get the item.', headers)],
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
  return { ETag: { description: `The entity tag, a ${entityTag} one.`, schema: { type: 'string' } } }
}
