/** An OpenAPI document as the page serves it: each caller sees the URL of the running service. */
interface OpenapiDocuments {
  readonly full: (serviceUrl: string) => string
  /** One operation by its `operationId`; undefined if there is none. */
  readonly operation: (id: string) => DescribedOperation | undefined
}

/** An operation as the console of the page needs it. */
interface DescribedOperation {
  /** The path template in the syntax of OpenAPI: `/copies(isbn='{isbn}')`. */
  readonly path: string
  /** The Operation Object, with its schemas and responses inlined. */
  readonly operation: Json
}

/**
 * Prepares an OpenAPI document whose `servers` is the URL of the running service.
 *
 * @param text the document as JSON
 * @see OpenAPI 3.1, 4.8.5 (Server Object)
 */
export function openapiDocuments(text: string): OpenapiDocuments {
  const document: Readonly<Record<string, Json>> = JSON.parse(text)
  const { openapi, servers: _, ...rest } = document
  // The document may have megabytes. It is serialised once. `servers` depends on the request and is inserted before the rest.
  const members = JSON.stringify(rest).slice(1)
  const head = (serviceUrl: string) => ({ openapi, servers: [{ url: serviceUrl }] })
  const definitions = new Map(
    [...membersOf(rest['components'])].flatMap(([kind, members]) =>
      [...membersOf(members)].map(([name, definition]) => [`${kind}/${name}`, definition] as const),
    ),
  )
  const operations = operationsOf(rest['paths'])
  return {
    full: serviceUrl => `${JSON.stringify(head(serviceUrl)).slice(0, -1)},${members}`,
    operation: id => {
      const found = operations.get(id)
      return found && { path: found.path, operation: inlineReferences(found.operation, definitions) }
    },
  }
}

function operationsOf(paths: Json | undefined): ReadonlyMap<string, DescribedOperation> {
  const found = new Map<string, DescribedOperation>()
  for (const [path, item] of membersOf(paths)) {
    for (const operation of membersOf(item).values()) {
      const id = isObject(operation) ? operation['operationId'] : undefined
      if (typeof id === 'string') found.set(id, { path, operation })
    }
  }
  return found
}

const membersOf = (value: Json | undefined): ReadonlyMap<string, Json> =>
  new Map(typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [])

type Json = string | number | boolean | null | readonly Json[] | JsonObject

interface JsonObject {
  readonly [name: string]: Json
}

const prefix = '#/components/'

/** Up to this number of definitions, schemas are inlined more deeply. */
const smallModel = 120

/** The related items in bodies. An example of a body has none, and inlined they would contain most of the model. */
const relatedItem = /-(?:contained|related)-(?:create|change|delta)|-change$|-without-/

/**
 * Inlines the definitions that a part of an OpenAPI document refers to, down to a limited depth. Recursive types would have no
 * end, and relations between hundreds of types would have almost none. Below the limit, only the name of a schema remains.
 *
 * @param definitions by kind and name: `schemas/user`
 */
export function inlineReferences(part: Json, definitions: ReadonlyMap<string, Json>): Json {
  const inlined = (value: Json, levels: number): Json => {
    if (isList(value)) return value.map(each => inlined(each, levels))
    if (!isObject(value)) return value
    const { $ref, ...others } = value
    const members = Object.fromEntries(Object.entries(others).map(([name, each]) => [name, inlined(each, levels)]))
    if (typeof $ref !== 'string' || !$ref.startsWith(prefix)) return $ref === undefined ? members : { $ref, ...members }
    const pointer = $ref.slice(prefix.length)
    const title = pointer.slice(pointer.indexOf('/') + 1)
    const isWhole = levels > 0 && !relatedItem.test(pointer)
    const definition = isWhole ? inlined(definitions.get(pointer) ?? {}, levels - 1) : { type: 'object' }
    if (!isObject(definition)) return definition
    return pointer.startsWith('schemas/') ? { title, ...definition, ...members } : { ...definition, ...members }
  }
  const size = [...definitions.keys()].filter(pointer => !relatedItem.test(pointer)).length
  return inlined(part, size > smallModel ? 2 : 4)
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value)
}
