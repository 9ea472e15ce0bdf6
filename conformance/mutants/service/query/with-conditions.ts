import { constructsOf, type QueryOptions } from '../../../../runtime/query/index.js'
import type { QueryCapabilities } from '../../../../spec/language/index.js'
import type { Exchange } from '../exchange.js'
import type { Checked } from './check-options.js'

/** Refuses a query that lacks a header which its constructs need. */
export function withConditions(options: QueryOptions, query: QueryCapabilities, exchange: Exchange): Checked {
  const { behaviour, endpoint } = exchange
  const used = new Set(constructsOf(options))
  if (endpoint.kind === 'count') used.add('countPath')
  let left = options
  for (const condition of query.requires) {
    const isTriggered = condition.when.some(all => all.every(construct => used.has(construct)))
    const given = behaviour.header(condition.header.name, exchange)
    if (!isTriggered || given?.trim().toLowerCase() === condition.header.value.toLowerCase()) continue
    const choice = condition.open === undefined ? 'rejected' : behaviour.choices[condition.open.name]
    if (choice === 'rejected') return { kind: 'refused', error: condition.otherwise }
    if (choice === 'ignored') {
      const { count: _, ...others } = left
      left = others
    }
  }
  return { kind: 'checked', options: left }
}
