import { type Json, type JsonObject, jsonObject } from '../json-schema/json.js'

/**
 * Schemas with their named properties alone. Generators of code make an index signature of `patternProperties`, which lets
 * every misspelt name pass; and without it `additionalProperties: false` would forbid annotations, which are passed over.
 */
export function namedPropertiesOnly(schemas: JsonObject): JsonObject {
  return jsonObject(Object.entries(schemas).map(([name, schema]) => [name, withoutPatterns(schema)]))
}

function withoutPatterns(schema: Json): Json {
  if (typeof schema !== 'object' || schema === null || !('patternProperties' in schema)) return schema
  return jsonObject(Object.entries(schema).filter(([key]) => !/^(pattern|additional)Properties$/.test(key)))
}
