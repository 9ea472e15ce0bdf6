import type { PathSegment } from '../ast.js'
import { structuredInfo } from '../binding/type-names.js'
import type { TypeTable } from '../schema.js'

/** The names that lead to a value, from the type that the capabilities speak of. */
export interface PropertyTrail {
  readonly path: readonly string[]
  /** The type there, when it is a structured one. */
  readonly typeName: string | undefined
  /** How many names lead up to and including the first relation; 0 when there is none. */
  readonly relationDepth: number
}

/** Follows the names of a path; a cast changes the type. */
export function followTrail(start: PropertyTrail, segments: readonly PathSegment[], types: TypeTable): PropertyTrail {
  const path = [...start.path]
  let { typeName, relationDepth } = start
  for (const segment of segments) {
    if (segment.kind === 'cast') {
      typeName = segment.type.slice(segment.type.lastIndexOf('.') + 1)
    } else if (segment.kind === 'function') {
      typeName = undefined
    } else if (segment.kind === 'property') {
      path.push(segment.name)
      const info = typeName === undefined ? undefined : structuredInfo(typeName, types)
      const relation = ownEntry(info?.navigation ?? {}, segment.name)
      if (relation !== undefined && relationDepth === 0) relationDepth = path.length
      typeName = (relation ?? ownEntry(info?.properties ?? {}, segment.name))?.type
    }
  }
  return { path, typeName, relationDepth }
}

/**
 * The entry of a record of exceptions that speaks of a path: that of the path itself, or of the nearest one above it.
 * `depth` is how many names it covers.
 */
export function nearestException<Entry>(
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
