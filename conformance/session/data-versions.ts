import type { Endpoint, EntityType, Service } from '../../spec/language/index.js'
import { templatePattern } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'

/** What stands for the items of types as long as nothing writes any of them. */
interface DataVersions {
  /** The same object as before, as long as no item of these types was written; of any type where none is given. */
  readonly current: (...types: readonly (EntityType | undefined)[]) => object
  /** Items of a type, with those that inherit from it, may have changed; any may where the type is not known. */
  readonly invalidate: (type: EntityType | undefined) => void
}

export function createDataVersions(): DataVersions {
  const known = new Map<string, { readonly roots: ReadonlySet<string>; readonly reading: object }>()
  return {
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

/** The type at the top of the hierarchy: lists of it hold the items of all others. */
function baseTypeName(type: EntityType): string {
  let root = type
  while (root.base !== undefined) root = root.base
  return root.name
}

/** What was read as a fact to start from: kept as long as the reading that it belongs to. */
interface VersionedCache<T> {
  /** What is known by a name, or else what is read now. */
  readonly getOrRead: (reading: object, name: string, read: () => Promise<T>) => Promise<T>
  /** What was just read for another purpose. */
  readonly set: (reading: object, name: string, value: T) => void
}

/**
 * Remembers facts by name under the readings of a session.
 *
 * @param lasts whether it is a fact: what failed in passing is read again
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
  /** As after an action, or at an address that the spec does not know. */
  | { readonly kind: 'anything' }

/**
 * Tells what a request may have changed: nothing, when it was refused or only asks.
 *
 * @param root address of the service, without a slash at its end
 */
export function createWriteClassifier({ endpoints }: Service, root: string): (answer: TestResponse) => WriteEffect {
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
