import type { ExpandItem, QueryOptions } from '../../../../runtime/query/index.js'
import type { NavigationProperty } from '../../../../spec/language/index.js'
import type { Json } from '../../../json.js'
import type { Exchange } from '../exchange.js'
import { matchingRows } from '../read/matching-rows.js'
import type { Entity } from '../world/entity.js'
import { project } from './project.js'

/** Adds the relations that are included to an item. @see OData URL Conventions 4.01, 5.1.3 */
export function expandInto(item: Record<string, Json>, row: Entity, options: QueryOptions, at: Exchange): void {
  for (const relation of row.type.navigation) {
    const asked = options.expand?.find(each => isNamed(each, relation))
    if (!at.behaviour.expands(relation, asked !== undefined, row, at)) continue
    const nested = at.behaviour.nested(nestedOptions(asked), relation, at)
    const all = matchingRows(at.behaviour.related(row, relation, at), nested, at)
    if (nested.count === true) item[`${relation.name}@odata.count`] = all.length
    const skip = nested.skip ?? 0
    const rows = all.slice(skip, nested.top === undefined ? undefined : skip + nested.top)
    const items = rows.map(each => project(each, relation.type, nested, at))
    const value = at.behaviour.expanded(items, relation, row, at)
    if (value !== undefined) item[relation.name] = value
  }
}

/** What an included relation shows: all items, or the one that there is. */
export function expanded(items: readonly Json[], relation: NavigationProperty, at: Exchange): Json | undefined {
  const limited = at.behaviour.choices['expandedItems'] === 'limited' ? items.slice(0, 3) : items
  if (relation.collection) return limited
  const [first] = items
  if (first !== undefined) return first
  return at.behaviour.choices['emptyRelation'] === 'absent' ? undefined : null
}

function isNamed({ path }: ExpandItem, { name }: NavigationProperty): boolean {
  const last = path.at(-1)
  return last === name || last === '*'
}

/** `$levels=3` includes the same relation twice more within itself. */
function nestedOptions(item: ExpandItem | undefined): QueryOptions {
  const { levels, ...options } = item?.options ?? {}
  const left = levels === 'max' ? 3 : (levels ?? 1)
  if (item === undefined || left <= 1) return options
  return { ...options, expand: [...(options.expand ?? []), { ...item, options: { ...options, levels: left - 1 } }] }
}
