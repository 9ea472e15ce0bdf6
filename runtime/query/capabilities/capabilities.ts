import type { Expression, PathSegment } from '../ast.js'
import { structuredTypeInfo, type TypeTable } from '../type-table.js'

/**
 * The part of the query language that an endpoint supports: plain data that generated code contains.
 *
 * `required`: every implementation supports it. `optional`: an implementation can refuse it with an error. `none`: an
 * implementation must refuse it. A server on this runtime supports what is `required` or `optional`.
 *
 * @see OData Capabilities vocabulary V1
 */
export type Support = 'required' | 'optional' | 'none'

export interface Capabilities {
  readonly select: Support
  readonly filter: FilterCapabilities
  readonly orderby: OrderbyCapabilities
  readonly expand: ExpandCapabilities
  readonly top: TopCapabilities
  readonly skip: Support
  readonly count: Support
  /** Default: `none`. */
  readonly compute?: Support
  /** Default: `none`. */
  readonly apply?: ApplyCapabilities
  readonly search: SearchCapabilities
  readonly requires: readonly Condition[]
}

export interface FilterCapabilities {
  readonly support: Support
  /** By name in lower case (`eq`, `not`, `negate` for unary minus). Default: `none`. */
  readonly operators: Readonly<Record<string, Support>>
  readonly functions: Readonly<Record<string, Support>>
  /** `any`, `all`. */
  readonly lambdas: Readonly<Record<string, Support>>
  /** Exceptions by property path, `from/emailAddress`. They also apply to everything below the path. */
  readonly properties: Readonly<Record<string, PropertyFilterCapabilities>>
  readonly maxNodes?: number
}

export interface PropertyFilterCapabilities {
  readonly support: Support
  readonly operators?: readonly string[]
  readonly functions?: readonly string[]
}

export interface OrderbyCapabilities {
  readonly support: Support
  /** Default: every primitive property, including those of single complex properties. */
  readonly only?: readonly string[]
  readonly properties: Readonly<Record<string, Support>>
  readonly maxKeys?: number
}

export interface ExpandCapabilities {
  readonly support: Support
  readonly relations: Readonly<Record<string, Support>>
  /** Whether the spec names no relations, so that every one is allowed. */
  readonly every?: boolean
  /** With 1, `$expand` cannot be nested. */
  readonly maxDepth: number
  /** The options, without `$`, that an expanded relation allows. */
  readonly nested: readonly string[]
  /**
   * Of which scopes a caller needs one to read the items of a relation, by its path. Default: the scopes of the path that
   * shows these items. Empty: only those of the endpoint.
   */
  readonly scopes?: Readonly<Record<string, readonly string[]>>
}

export interface TopCapabilities {
  readonly support: Support
  /** The page size without `$top`. */
  readonly default?: number
  readonly max?: number
  readonly above: 'error' | 'clamp' | 'open'
  readonly min: 0 | 1
}

/**
 * The transformations of `$apply`. Expressions in them support what a filter does.
 *
 * @see OData Aggregation vocabulary V1, ApplySupported
 */
export interface ApplyCapabilities {
  readonly support: Support
  /** `filter`, `groupby`, `aggregate` and so on. */
  readonly transformations: readonly string[]
  readonly rollup: boolean
  /** The properties to group by. Default: all. */
  readonly groupable?: readonly string[]
  /** The properties that `aggregate` can use. Default: all. */
  readonly aggregatable?: readonly string[]
}

export interface SearchCapabilities {
  readonly support: Support
  /** `propertyTerms`: `"property:term"`; `words`: the terms of OData. */
  readonly syntax: 'propertyTerms' | 'words'
  readonly join: readonly ('OR' | 'AND' | 'NOT')[]
  readonly properties: readonly string[]
}

/** A construct that needs a header. The Capabilities vocabulary cannot express this. */
export interface Condition {
  /**
   * The alternatives that trigger the condition, each a list of constructs that must all occur: `filter`, `filter.contains`,
   * `filter.any`, `search`, `count`, `countPath`, `orderby`, `expand`, `skip`, `top`, `select`.
   */
  readonly when: readonly (readonly string[])[]
  readonly header: { readonly name: string; readonly value: string }
  /** The name of the error in the absence of the header. */
  readonly otherwise: string
}

/** A valid construct in a query that an endpoint does not support. */
export interface UnsupportedConstruct {
  /** The query option, with `$`. In `$expand`, the nested one. */
  readonly option: string
  /** `filter`, `filter.contains`, `search.AND`, `top.max` and so on. */
  readonly construct: string
  /** The property path, if support depends on it. */
  readonly property?: string
  /** What is not supported, and what is. */
  readonly message: string
}

export interface CheckContext {
  readonly capabilities: Capabilities
  readonly types: TypeTable
  readonly aliases: Readonly<Record<string, Expression>>
  /** The names that `$compute` adds to the items. */
  readonly computed: ReadonlySet<string>
  /** The items that the request addresses. */
  readonly outermost: ResolvedPath
  readonly report: (option: string, construct: string, message: string, property?: string) => void
}

/** The path to a value from the type with the capabilities. */
export interface ResolvedPath {
  readonly names: readonly string[]
  /** The type of the value if it is structured. */
  readonly typeName: string | undefined
  /** The number of names up to and including the first relation; 0 without a relation. */
  readonly relationDepth: number
}

export function resolvePath(start: ResolvedPath, segments: readonly PathSegment[], types: TypeTable): ResolvedPath {
  const path = [...start.names]
  let { typeName, relationDepth } = start
  for (const segment of segments) {
    if (segment.kind === 'cast') {
      typeName = segment.type.slice(segment.type.lastIndexOf('.') + 1)
    } else if (segment.kind === 'function') {
      typeName = undefined
    } else if (segment.kind === 'property') {
      path.push(segment.name)
      const info = structuredTypeInfo(typeName, types)
      const relation = ownEntry(info?.navigation ?? {}, segment.name)
      if (relation !== undefined && relationDepth === 0) relationDepth = path.length
      typeName = (relation ?? ownEntry(info?.properties ?? {}, segment.name))?.type
    }
  }
  return { names: path, typeName, relationDepth }
}

/**
 * The exception that applies to a path: the one of the path itself, or of its nearest ancestor. `depth` is the number of names
 * of that path.
 */
export function nearestEntry<Entry>(
  exceptions: Readonly<Record<string, Entry>>,
  path: readonly string[],
): { readonly depth: number; readonly entry: Entry } | undefined {
  const text = path.join('/')
  let nearest: string | undefined
  for (const name of Object.keys(exceptions)) {
    const covers = text === name || text.startsWith(`${name}/`)
    if (covers && name.length > (nearest?.length ?? 0)) nearest = name
  }
  const entry = nearest === undefined ? undefined : exceptions[nearest]
  return nearest === undefined || entry === undefined ? undefined : { depth: nearest.split('/').length, entry }
}

function ownEntry<Entry>(record: Readonly<Record<string, Entry>>, name: string): Entry | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
