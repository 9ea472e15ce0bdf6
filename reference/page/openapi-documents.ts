import { type Json, withSchemas } from './with-schemas.js'

/** An OpenAPI document as the page gives it to its callers, each with the address of the running service. */
export interface OpenapiDocuments {
  /** The whole. */
  readonly whole: (serviceUrl: string) => string
  /**
   * What the console needs to know of one path: a component that resolves a whole document would take minutes for that of a
   * large service. Undefined for a path that is not there.
   */
  readonly ofPath: (path: string, serviceUrl: string) => string | undefined
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
    whole: serviceUrl => `${JSON.stringify(head(serviceUrl)).slice(0, -1)},${members}`,
    ofPath: (path, serviceUrl) => {
      const item = pathItems.get(path)
      if (item === undefined) return undefined
      const inlined = { [path]: withSchemas(item, definitions) }
      return JSON.stringify({ ...head(serviceUrl), info, security, paths: inlined, components: others })
    },
  }
}

const membersOf = (value: Json | undefined): ReadonlyMap<string, Json> =>
  new Map(typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [])
