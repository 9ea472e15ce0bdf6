import type { Expression, PathSegment } from '../ast.js'
import { structuredTypeInfo, type TypeTable } from '../type-table.js'
import type { Capabilities } from './capabilities.js'

/** Something in a query that the grammar and the types allow, but this endpoint does not. */
export interface UnsupportedConstruct {
  /** The query option, with `$`; inside `$expand`, the nested one. */
  readonly option: string
  /** `filter`, `filter.contains`, `search.AND`, `top.max` and so on. */
  readonly construct: string
  /** The property path that it stands on, where that is what decides. */
  readonly property?: string
  /** What is not supported, and what is. */
  readonly message: string
}

/** What every check of one request needs. */
export interface CheckContext {
  readonly capabilities: Capabilities
  readonly types: TypeTable
  readonly aliases: Readonly<Record<string, Expression>>
  /** The items that the request addresses. */
  readonly outermost: ResolvedPath
  readonly report: (option: string, construct: string, message: string, property?: string) => void
}

/** The names that lead to a value, from the type that the capabilities speak of. */
export interface ResolvedPath {
  readonly names: readonly string[]
  /** The type there, when it is a structured one. */
  readonly typeName: string | undefined
  /** How many names lead up to and including the first relation; 0 when there is none. */
  readonly relationDepth: number
}

/** Follows the names of a path; a cast changes the type. */
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
 * The entry of a record of exceptions that speaks of a path: that of the path itself, or of the nearest one above it.
 * `depth` is how many names it covers.
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
