import { compareForOrder } from '../oracle/compare.js'
import type { Session } from '../session/session.js'
import { type LeafProperty, leafProperties, leafValue } from './properties.js'
import type { QuerySite } from './related-items.js'
import { renderedProperties } from './values.js'

/** A property that a list can be ordered by, with statistics of its values. */
export interface Sortable {
  readonly leaf: LeafProperty
  /** The number of distinct values other than null. */
  readonly distinct: number
  readonly nulls: number
  /** The number of rows that share their value with another row. */
  readonly tied: number
  /** Whether the order of its values is known. */
  readonly isCertain: boolean
}

const unsortable: ReadonlySet<string> = new Set(['Edm.Binary', 'Edm.Stream'])

/** The properties that a list can be ordered by and that have at least two values, the most informative first. */
export function sortablesOf(site: QuerySite, session: Session): readonly Sortable[] {
  const { only, properties, support } = site.endpoint.query.orderby
  const rows = session.snapshot(site)?.rows ?? []
  if (support === 'none') return []
  const rendered = renderedProperties(session.service)
  const allowed = leafProperties(site.type).filter(({ path, typeName }) => {
    const name = path.join('/')
    if (rendered.has(path[0] ?? '')) return false
    if (unsortable.has(typeName) || typeName.startsWith('Edm.Geo')) return false
    const exception = path
      .map((_, index) => path.slice(0, index + 1).join('/'))
      .find(part => properties[part] === 'none')
    if (exception !== undefined) return false
    return only === undefined || only.includes(name) || Object.hasOwn(properties, name)
  })
  return allowed
    .map(leaf =>
      sortableOf(
        leaf,
        rows.map(row => leafValue(row, leaf.path)),
        session,
      ),
    )
    .filter(({ distinct, nulls }) => distinct > 1 || (distinct === 1 && nulls > 0))
    .map((sortable, index) => ({ sortable, index }))
    .sort((a, b) => information(b.sortable) - information(a.sortable) || a.index - b.index)
    .map(({ sortable }) => sortable)
}

/**
 * Interleaves properties of different types. Types that earlier lists have covered come last, so few requests cover all
 * types.
 */
export function interleaveTypes(sortables: readonly Sortable[], earlier: ReadonlySet<string>): readonly Sortable[] {
  const turns = new Map<string, number>()
  const turnOf = ({ leaf }: Sortable): number => {
    const kind = sortKind(leaf)
    const turn = turns.get(kind) ?? (earlier.has(kind) ? 1 : 0)
    turns.set(kind, turn + 1)
    return turn
  }
  return sortables
    .map((sortable, index) => ({ sortable, index, turn: turnOf(sortable) }))
    .sort((a, b) => a.turn - b.turn || a.index - b.index)
    .map(({ sortable }) => sortable)
}

/** Integers sort alike; a property inside a complex value may not. */
export function sortKind({ typeName, path }: LeafProperty): string {
  const kind = /^Edm\.(S?Byte|Int\d\d)$/.test(typeName) ? 'integer' : typeName
  return path.length > 1 ? `${kind} inside` : kind
}

function sortableOf(leaf: LeafProperty, values: readonly unknown[], session: Session): Sortable {
  const present = values.filter(value => value !== null && value !== undefined)
  const counts = new Map<string, number>()
  for (const value of present) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1)
  const distinct = [...new Set(present)]
  const certain = distinct
    .slice(1, 20)
    .filter((value, index) => compareForOrder(distinct[index], value, leaf.typeName, session) !== undefined)
  return {
    leaf,
    distinct: counts.size,
    nulls: values.filter(value => value === null).length,
    tied: [...counts.values()].filter(count => count > 1).reduce((sum, count) => sum + count, 0),
    isCertain: certain.length * 2 >= Math.min(distinct.length - 1, 19),
  }
}

/** Nulls and a known order are the most informative. */
function information({ leaf, distinct, nulls, isCertain }: Sortable): number {
  return (isCertain ? 8 : 0) + (nulls > 0 ? 4 : 0) + Math.min(distinct, 3) - (leaf.path.length - 1) * 2
}
