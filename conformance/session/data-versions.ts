import type { Endpoint, EntityType, Service } from '../../spec/language/index.js'
import { templatePattern } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'

/** Identifies versions of the data by entity type. A version lasts until something may write an item of its types. */
interface DataVersions {
  /**
   * The current version of these types; the same object as long as none of their items is written. Without types, of
   * all items.
   */
  readonly current: (...types: readonly (EntityType | undefined)[]) => object
  /** Items of a type, including derived types, may have changed. Without a type, any item may have changed. */
  readonly invalidate: (type: EntityType | undefined) => void
  /** Returns a function that makes the versions of now current again. Call it only if everything written since was undone. */
  readonly savepoint: () => () => void
}

export function createDataVersions(): DataVersions {
  let known = new Map<string, { readonly roots: ReadonlySet<string>; readonly reading: object }>()
  return {
    savepoint: () => {
      const saved = new Map(known)
      return () => {
        known = new Map(saved)
      }
    },
    current: (...types) => {
      const roots = new Set(types.includes(undefined) ? [] : types.flatMap(type => (type ? [baseTypeName(type)] : [])))
      const name = [...roots].sort().join(' ')
      const found = known.get(name) ?? { roots, reading: {} }
      known.set(name, found)
      return found.reading
    },
    invalidate: type => {
      const root = type === undefined ? undefined : baseTypeName(type)
      for (const [name, { roots }] of known) {
        if (root === undefined || roots.size === 0 || roots.has(root)) known.delete(name)
      }
    },
  }
}

/** The root of the type hierarchy: its lists hold the items of all derived types. */
function baseTypeName(type: EntityType): string {
  let root = type
  while (root.base !== undefined) root = root.base
  return root.name
}

/** Caches what rules read, as long as the data version is current. */
interface VersionedCache<T> {
  /** Returns the cached value, or reads it. */
  readonly getOrRead: (reading: object, name: string, read: () => Promise<T>) => Promise<T>
  /** Caches a value that was read for another purpose. */
  readonly set: (reading: object, name: string, value: T) => void
}

/**
 * Caches values by name and data version.
 *
 * @param lasts whether to keep a value; failures are read again
 */
export function versionedCache<T>(lasts: (value: T) => boolean): VersionedCache<T> {
  const facts = new WeakMap<object, Map<string, Promise<T>>>()
  const under = (reading: object): Map<string, Promise<T>> => {
    const known = facts.get(reading) ?? new Map<string, Promise<T>>()
    facts.set(reading, known)
    return known
  }
  return {
    getOrRead: (reading, name, read) => {
      const known = under(reading)
      const before = known.get(name)
      if (before !== undefined) return before
      const fact = read()
      known.set(name, fact)
      const forget = (): boolean => known.delete(name)
      fact.then(value => !lasts(value) && forget(), forget)
      return fact
    },
    set: (reading, name, value) => {
      if (lasts(value)) under(reading).set(name, Promise.resolve(value))
    },
  }
}

/** What a request may have changed. */
type WriteEffect =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'items'; readonly type: EntityType }
  /** For an action, or a path that the spec does not declare. */
  | { readonly kind: 'anything' }

/**
 * Classifies requests by what they may have changed. Rejected requests and reads change nothing.
 *
 * @param root address of the service, without a trailing slash
 */
export function createWriteClassifier({ endpoints }: Service, root: string): (response: TestResponse) => WriteEffect {
  const base = new URL(root).pathname.replace(/\/$/, '')
  const known = endpoints.flatMap(endpoint => {
    const what = writeEffectOf(endpoint)
    return what === undefined ? [] : [{ method: endpoint.method, path: templatePattern(endpoint.path.template), what }]
  })
  return ({ request: { method, url }, status }) => {
    if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return { kind: 'nothing' }
    if (status >= 400 && status < 500) return { kind: 'nothing' }
    const { pathname } = new URL(url)
    if (!pathname.startsWith(base)) return { kind: 'anything' }
    const below = pathname.slice(base.length)
    const [first, ...others] = known.filter(each => each.method === method && each.path.test(below))
    return first === undefined || others.length > 0 ? { kind: 'anything' } : first.what
  }
}

function writeEffectOf(endpoint: Endpoint): WriteEffect | undefined {
  switch (endpoint.kind) {
    case 'create':
    case 'update':
    case 'replace':
    case 'delete':
      return { kind: 'items', type: endpoint.type }
    case 'call':
      return endpoint.operation.meaning === undefined ? { kind: 'anything' } : { kind: 'nothing' }
    default:
      return undefined
  }
}
