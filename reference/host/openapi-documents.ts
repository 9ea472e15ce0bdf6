/** An OpenAPI document as the page serves it: each caller sees the URL of the running service. */
interface OpenapiDocuments {
  /** The full document. */
  readonly full: (serviceUrl: string) => string
  /**
   * The document for one path, as the console needs it; undefined for an unknown path. The console component would take
   * minutes to resolve the full document of a large service.
   */
  readonly forPath: (path: string, serviceUrl: string) => string | undefined
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
  const { info, security, paths, components } = rest
  const pathItems = membersOf(paths)
  const { schemas, ...others } = Object.fromEntries(membersOf(components))
  const definitions = membersOf(schemas)
  return {
    full: serviceUrl => `${JSON.stringify(head(serviceUrl)).slice(0, -1)},${members}`,
    forPath: (path, serviceUrl) => {
      const item = pathItems.get(path)
      if (item === undefined) return undefined
      const inlined = { [path]: inlineSchemas(item, definitions) }
      return JSON.stringify({ ...head(serviceUrl), info, security, paths: inlined, components: others })
    },
  }
}

const membersOf = (value: Json | undefined): ReadonlyMap<string, Json> =>
  new Map(typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [])

type Json = string | number | boolean | null | readonly Json[] | JsonObject

interface JsonObject {
  readonly [name: string]: Json
}

const prefix = '#/components/schemas/'

/** Up to this number of definitions, schemas are inlined more deeply. */
const smallModel = 100

/**
 * Inlines the schemas that a part of an OpenAPI document refers to, down to a limited depth. Recursive types would have no
 * end, and relations between hundreds of types would have almost none. Below the limit, only the name of a schema remains.
 */
export function inlineSchemas(part: Json, definitions: ReadonlyMap<string, Json>): Json {
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
  return inlined(part, definitions.size > smallModel ? 2 : 4)
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value)
}
