import { type Json, type JsonObject, jsonObject } from '../json-schema/json.js'
import { schemasPrefix } from './schema-reference.js'

/** The schemas that a document refers to, directly or through others; what nothing refers to is left out. */
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
