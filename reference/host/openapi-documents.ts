/** An OpenAPI document as the page gives it to its callers, each with the address of the running service. */
interface OpenapiDocuments {
  /** The whole. */
  readonly full: (serviceUrl: string) => string
  /**
   * What the console needs to know of one path: a component that resolves a whole document would take minutes for that of a
   * large service. Undefined for a path that is not there.
   */
  readonly forPath: (path: string, serviceUrl: string) => string | undefined
}

/**
 * An OpenAPI document with the address of the running service in place of its own servers, whole and path by path.
 *
 * @param text the document as JSON, as Specwright writes it
 * @see OpenAPI 3.1, 4.8.5 (Server Object)
 */
export function openapiDocuments(text: string): OpenapiDocuments {
  const document: Readonly<Record<string, Json>> = JSON.parse(text)
  const { openapi, servers: _, ...rest } = document
  // It may have megabytes: written once, with the servers, which depend on the request, in front.
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

/** Anything in a JSON document. */
type Json = string | number | boolean | null | readonly Json[] | JsonObject

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
  return inlined(part, definitions.size > few ? 2 : 4)
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value)
}
