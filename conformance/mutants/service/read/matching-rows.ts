import type { OrderbyItem, QueryOptions, SearchExpression } from '../../../../runtime/query/index.js'
import type { SortKey } from '../behaviour.js'
import { type Environment, environmentOf } from '../evaluate/environment.js'
import { evaluate } from '../evaluate/evaluate.js'
import type { Exchange } from '../exchange.js'
import { truthOf } from '../value/value.js'
import type { Entity } from '../world/entity.js'

/** The rows that a query keeps, in its order. */
export function matchingRows(
  rows: readonly Entity[],
  { search, filter, orderby }: QueryOptions,
  at: Exchange,
  parameters: Environment['parameters'] = new Map(),
): readonly Entity[] {
  const { behaviour } = at
  let found = rows
  if (search !== undefined) found = found.filter(row => searched(search, row, at))
  if (filter !== undefined) {
    found = behaviour.filter(found, row => truthOf(evaluate(filter, environmentOf(row, at, parameters))), at)
  }
  return orderby === undefined ? behaviour.order(found, [], at) : behaviour.order(found, keysOf(orderby, at), at)
}

function keysOf(orderby: readonly OrderbyItem[], at: Exchange): readonly SortKey[] {
  return orderby.map(item => ({ item, value: row => evaluate(item.expression, environmentOf(row, at)) }))
}

function searched(search: SearchExpression, row: Entity, at: Exchange): boolean {
  return at.behaviour.search(search, row, at)
}
