import type { Expression } from '../../runtime/query/index.js'
import {
  kindOfPrimitive,
  type QueryCapabilities,
  type StructuredType,
  type ValueType,
} from '../../spec/language/index.js'
import type { Site } from '../discover/site.js'
import type { Session } from '../session/session.js'

/** A value that a filter may read: a property of the row, or of a lambda variable. */
export interface Term {
  /** From the row. Within a collection, from the item; empty if the items are values. */
  readonly path: readonly string[]
  /** As in the type table: `Edm.String`, or the name of an enumeration. */
  readonly type: string
  readonly nullable: boolean
  readonly isFlags: boolean
  /** Whether the spec declares this operator or function for it. */
  readonly allows: (construct: string) => boolean
}

/** A collection that `any` and `all` may read. */
export interface CollectionTerm {
  readonly path: readonly string[]
  readonly items: readonly Term[]
}

/** What the spec allows in filters at a site. */
export interface Grammar {
  readonly terms: readonly Term[]
  readonly collections: readonly CollectionTerm[]
  /** For `eq`, `not`, `contains`, `any`, `$count` and so on. */
  readonly has: (construct: string) => boolean
  /** The same for one property, for which the spec may have exceptions. */
  readonly hasAt: (path: readonly string[], construct: string) => boolean
  readonly maxNodes: number
}

/** Maximum depth of complex values. */
const maxDepth = 3
/** Many services reject long filters. */
const maxFilterNodes = 60

/** What the spec declares for filters at a site; absent if it declares none. */
export function grammarOf({ endpoint, type }: Site, session: Pick<Session, 'service'>): Grammar | undefined {
  if (type === undefined || !('query' in endpoint) || endpoint.query === undefined) return undefined
  const { filter } = endpoint.query
  if (filter.support === 'none') return undefined
  const has = (construct: string): boolean =>
    [filter.operators, filter.functions, filter.lambdas].some(record => isDeclared(record, construct))
  const terms: Term[] = []
  const collections: CollectionTerm[] = []
  const all: GrammarContext = { filter, has, service: session.service }
  collectTerms(type, [], terms, collections, all)
  const hasAt = (path: readonly string[], construct: string): boolean => allowedAt(path, all)(construct)
  return { terms, collections, has, hasAt, maxNodes: Math.min(filter.maxNodes ?? maxFilterNodes, maxFilterNodes) }
}

interface GrammarContext {
  readonly filter: QueryCapabilities['filter']
  readonly has: (construct: string) => boolean
  readonly service: Session['service']
}

function collectTerms(
  type: StructuredType,
  before: readonly string[],
  terms: Term[],
  collections: CollectionTerm[],
  at: GrammarContext,
): void {
  for (const property of type.properties) {
    const path = [...before, property.name]
    const isComplex = property.type.kind === 'complexType'
    if (property.collection) {
      const items: Term[] = []
      if (property.type.kind === 'complexType') collectTerms(property.type, [], items, [], insideCollection(path, at))
      else items.push(...termOf(property.type, [], false, insideCollection(path, at)))
      if (items.length > 0 && allowedAt(path, at)('any')) collections.push({ path, items })
    } else if (isComplex && property.type.kind === 'complexType') {
      if (path.length < maxDepth) collectTerms(property.type, path, terms, collections, at)
    } else terms.push(...termOf(property.type, path, property.nullable || before.length > 0, at))
  }
}

function insideCollection(path: readonly string[], at: GrammarContext): GrammarContext {
  return { ...at, has: allowedAt(path, at) }
}

const incomparable: ReadonlySet<string | undefined> = new Set(['binary', 'geography', 'geometry', undefined])

function termOf(type: ValueType, path: readonly string[], nullable: boolean, at: GrammarContext): readonly Term[] {
  const name = type.kind === 'primitive' ? type.name : type.kind === 'typeDefinition' ? type.underlying : undefined
  const allows = path.length === 0 ? at.has : allowedAt(path, at)
  if (!allows('eq')) return []
  if (type.kind === 'enumType') return [{ path, type: type.name, nullable, isFlags: type.flags, allows }]
  if (name === undefined || incomparable.has(kindOfPrimitive(name))) return []
  return [{ path, type: `Edm.${name}`, nullable, isFlags: false, allows }]
}

/** What is allowed on a property. An exception also applies to the paths below it. */
function allowedAt(path: readonly string[], { filter, has }: GrammarContext): (construct: string) => boolean {
  const joined = path.join('/')
  const exceptions = Object.entries(filter.properties).filter(
    ([name]) => joined === name || joined.startsWith(`${name}/`),
  )
  const nearest = exceptions.sort(([a], [b]) => b.length - a.length)[0]?.[1]
  if (nearest === undefined) return has
  if (nearest.support === 'none') return () => false
  return construct => {
    if (!has(construct)) return false
    const listed = Object.hasOwn(filter.operators, construct) ? nearest.operators : nearest.functions
    return listed === undefined || listed.some(name => name.toLowerCase() === construct)
  }
}

function isDeclared(record: Readonly<Record<string, string>>, name: string): boolean {
  return Object.hasOwn(record, name) && record[name] !== 'none'
}

/** A condition without `and`, `or` and `not`. Filters consist of these. */
export interface Condition {
  readonly filter: Expression
  /** A name that distinguishes similar conditions: `eq text subject`. */
  readonly kind: string
}
