import type { EntityType, Service, StructuredType } from '../../../spec/language/index.js'
import { type Json, type JsonObject, jsonObject } from '../emit-context.js'
import { shapeSchemaName } from '../json-schema/structured-schema.js'
import type { TypeUse } from '../types/value-types.js'

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
  { type: 'string', description: 'The address of the next page. Absent on the last page.' },
]

export const deltaLink: readonly [string, Json] = [
  '@odata.deltaLink',
  { type: 'string', description: 'The address of later changes, on the last page.' },
]

function page(type: EntityType): JsonObject {
  return {
    type: 'object',
    required: ['value'],
    properties: jsonObject([
      context,
      ['@odata.count', { type: 'integer', minimum: 0, description: 'Present if the request has $count=true.' }],
      nextLink,
      ['value', { type: 'array', items: shapeReference(type, 'read') }],
    ]),
  }
}

const removed: Json = {
  type: 'object',
  description: 'The item is no longer in the collection. Only its key is present.',
  properties: { reason: { enum: ['changed', 'deleted'] } },
}

function changes(type: EntityType): JsonObject {
  const item: Json = {
    allOf: [shapeReference(type, 'read'), { type: 'object', properties: jsonObject([['@removed', removed]]) }],
  }
  return {
    type: 'object',
    required: ['value'],
    properties: jsonObject([context, nextLink, deltaLink, ['value', { type: 'array', items: item }]]),
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

export const schemasPrefix = '#/components/schemas/'

export function schemaReference(name: string): JsonObject {
  return { $ref: schemasPrefix + name }
}

/** The schemas of a type: what is returned, and what is accepted. */
export function shapeReference(type: StructuredType, use: TypeUse): JsonObject {
  return schemaReference(shapeSchemaName(type, use))
}

/** Names contain a `.`, unlike names of types. */
export const errorSchemaName = 'odata.error'

/** `user-collection` and `user-delta`: a page of items, a page of changes. */
export function envelopeSchemaName(type: StructuredType, envelope: 'collection' | 'delta'): string {
  return `${shapeSchemaName(type, 'read')}-${envelope}`
}

/** The schemas that a document refers to, directly or through others. Omits unused schemas. */
export function reachableSchemas(document: Json, schemas: JsonObject): JsonObject {
  const reached = new Set<string>()
  const waiting: Json[] = [document]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue
    for (const [member, value] of Object.entries(next)) {
      waiting.push(value)
      if (member !== '$ref' || typeof value !== 'string') continue
      const name = value.slice(schemasPrefix.length)
      const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
      if (schema === undefined || reached.has(name)) continue
      reached.add(name)
      waiting.push(schema)
    }
  }
  return jsonObject(Object.entries(schemas).filter(([name]) => reached.has(name)))
}

/**
 * Schemas with only their named properties. Code generators turn `patternProperties` into an index signature, which accepts
 * every misspelt name. Without it, `additionalProperties: false` would forbid annotations, which services ignore.
 */
export function namedPropertiesOnly(schemas: JsonObject): JsonObject {
  return jsonObject(Object.entries(schemas).map(([name, schema]) => [name, withoutPatterns(schema)]))
}

function withoutPatterns(schema: Json): Json {
  if (typeof schema !== 'object' || schema === null || !('patternProperties' in schema)) return schema
  return jsonObject(Object.entries(schema).filter(([key]) => !/^(pattern|additional)Properties$/.test(key)))
}
