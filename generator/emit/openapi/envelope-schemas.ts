import type { EntityType, Service } from '../../../spec/language/model/index.js'
import { type Json, type JsonObject, jsonObject } from '../json-schema/json.js'
import { envelopeSchemaName, errorSchemaName, shapeReference } from './schema-reference.js'

/** Pages of items, pages of changes, and the error body. @see OData JSON Format 4.01, 12, 15 and 21.1 */
export function envelopeSchemas(service: Service): JsonObject {
  const envelopes = new Map<string, Json>()
  for (const endpoint of service.endpoints) {
    if (endpoint.kind === 'collection')
      envelopes.set(envelopeSchemaName(endpoint.type, 'collection'), page(endpoint.type))
    if (endpoint.kind === 'delta') envelopes.set(envelopeSchemaName(endpoint.type, 'delta'), changes(endpoint.type))
    if (endpoint.kind !== 'call' || endpoint.operation.returns?.collection !== true) continue
    const { type } = endpoint.operation.returns
    if (type.kind === 'entityType') envelopes.set(envelopeSchemaName(type, 'collection'), page(type))
  }
  return jsonObject([...envelopes, [errorSchemaName, errorBody(service)]])
}

const context: readonly [string, Json] = ['@odata.context', { type: 'string' }]
const nextLink: readonly [string, Json] = [
  '@odata.nextLink',
  { type: 'string', description: 'Address of the next page; absent on the last one.' },
]

function page(type: EntityType): JsonObject {
  return {
    type: 'object',
    required: ['value'],
    properties: jsonObject([
      context,
      ['@odata.count', { type: 'integer', minimum: 0, description: 'There when $count=true is asked for.' }],
      nextLink,
      ['value', { type: 'array', items: shapeReference(type, 'read') }],
    ]),
  }
}

const removed: Json = {
  type: 'object',
  description: 'Tells that the item is no longer in the collection; beside its key nothing else of it is sent.',
  properties: { reason: { enum: ['changed', 'deleted'] } },
}

function changes(type: EntityType): JsonObject {
  const item: Json = {
    allOf: [shapeReference(type, 'read'), { type: 'object', properties: jsonObject([['@removed', removed]]) }],
  }
  return {
    type: 'object',
    required: ['value'],
    properties: jsonObject([
      context,
      nextLink,
      ['@odata.deltaLink', { type: 'string', description: 'Where to ask for later changes; on the last page.' }],
      ['value', { type: 'array', items: item }],
    ]),
  }
}

const known: Readonly<Record<string, Json>> = {
  code: { type: 'string', minLength: 1 },
  message: { type: 'string', minLength: 1 },
  target: { type: 'string' },
  details: {
    type: 'array',
    items: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'string' }, message: { type: 'string' }, target: { type: 'string' } },
    },
  },
  innerError: { type: 'object', additionalProperties: true },
}

function errorBody({ errorBody: { required, optional } }: Service): JsonObject {
  const members = [...required, ...optional].map(name => [name, Object.hasOwn(known, name) ? known[name] : {}] as const)
  return {
    type: 'object',
    required: ['error'],
    properties: { error: { type: 'object', required: required, properties: jsonObject(members) } },
  }
}
