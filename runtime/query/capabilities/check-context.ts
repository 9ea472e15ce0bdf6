import type { Expression, PathSegment } from '../ast.js'
import { structuredTypeInfo, type TypeTable } from '../type-table.js'
import type { Capabilities } from './capabilities.js'

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
