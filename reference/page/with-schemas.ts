/** Anything in a JSON document. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

interface JsonObject {
  readonly [name: string]: Json
}

const prefix = '#/components/schemas/'

/** Definitions up to which all are shown as deep as they go in practice. */
const few = 100

/**
 * A part of an OpenAPI document with schemas in place of the references to them, as deep as somebody reads: types that
 * refer to each other in circles would have no end, and the relations of hundreds of types hardly one. What is deeper has
 * only its name.
 */
export function withSchemas(part: Json, definitions: ReadonlyMap<string, Json>): Json {
  const inlined = (value: Json, levels: number): Json => {
    if (isList(value)) return value.map(each => inlined(each, levels))
    if (!isObject(value)) return value
    const { $ref, ...others } = value
    const members = Object.fromEntries(Object.entries(others).map(([name, each]) => [name, inlined(each, levels)]))
    if (typeof $ref !== 'string' || !$ref.startsWith(prefix)) return $ref === undefined ? members : { $ref, ...members }
    const title = $ref.slice(prefix.length)
    const definition = levels > 0 ? inlined(definitions.get(title) ?? {}, levels - 1) : { type: 'object' }
    return isObject(definition) ? { title, ...definition, ...members } : definition
  }
  return inlined(part, definitions.size > few ? 2 : 4)
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value)
}
