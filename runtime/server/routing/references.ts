import { RequestFault } from '../errors.js'
import type { KeyInfo, ResourceSegment, ServiceTable } from '../service-table.js'
import { keyProperties } from '../type-lookup.js'
import { splitPath, splitTarget } from './path.js'
import { createRouter, readKeys } from './router.js'

/** An item that a request names by its URL, to link it. */
export interface Reference {
  /** The type of its entity set or singleton. */
  readonly type: string
  /** The path in terms of the model. */
  readonly resource: readonly ResourceSegment[]
  /** Its key by the names of the key properties. */
  readonly keys: Readonly<Record<string, unknown>>
}

/** Resolves the URL of an item, absolute or relative to the service. Undefined: no entity set has such an item. */
export type ResolveReference = (url: string) => Reference | undefined

/**
 * Prepares to resolve the URLs of the items of entity sets and of singletons, whether or not a path of the spec reads them.
 *
 * @see OData JSON Format 4.01, 4.6.7 (id) and 8.5 (bind)
 */
export function createReferences(
  table: ServiceTable,
  root: string,
): (url: string, serviceUrl: string) => Reference | undefined {
  const router = createRouter<Pick<Reference, 'type' | 'resource'>>(table.namespace)
  for (const [name, { kind, type }] of Object.entries(table.container)) {
    const keys = (keyProperties(table.types, type) ?? []).map(
      ({ name: property, type: of }): KeyInfo => ({ variable: property, property, type: of }),
    )
    const first: ResourceSegment = { kind, name, type }
    if (kind === 'singleton') router.add([{ kind: 'name', name }], 'GET', { type, resource: [first] })
    else if (keys.length > 0) {
      const key: ResourceSegment = { kind: 'key', type, variables: keys.map(({ variable }) => variable) }
      router.add(
        [
          { kind: 'name', name },
          { kind: 'key', keys },
        ],
        'GET',
        { type, resource: [first, key] },
      )
    }
  }
  return (url, serviceUrl) => {
    const { path } = splitTarget(belowService(url, serviceUrl, root))
    const segments = splitPath(path)
    const match = segments === undefined ? undefined : router.match(segments)
    const found = match?.resource.targets.get('GET')
    if (match === undefined || found === undefined) return undefined
    try {
      return { ...found, keys: readKeys(match.keys, [], table) }
    } catch (error) {
      if (error instanceof RequestFault) return undefined
      throw error
    }
  }
}

function belowService(url: string, serviceUrl: string, root: string): string {
  for (const prefix of [serviceUrl, root]) if (url.startsWith(`${prefix}/`)) return url.slice(prefix.length)
  return url
}
