import type { QueryOptions } from '../../query/ast.js'
import type { RouteKind } from '../service-table.js'

const optionsOfCollections = [
  'filter',
  'orderby',
  'select',
  'expand',
  'search',
  'compute',
  'top',
  'skip',
  'count',
  'skiptoken',
] as const

/**
 * The options that make sense for each kind of endpoint, whatever it supports.
 *
 * @see OData Protocol 4.01, 11.2.1
 */
const applicable: Readonly<Record<RouteKind, readonly (keyof QueryOptions)[]>> = {
  collection: optionsOfCollections,
  delta: [...optionsOfCollections, 'deltatoken'],
  item: ['select', 'expand', 'compute'],
  count: ['filter', 'search'],
  call: optionsOfCollections,
  create: [],
  update: [],
  replace: [],
  delete: [],
}

/** The options of a query that do not apply to a kind of endpoint, without their `$`. */
export function inapplicableOptions(options: QueryOptions, kind: RouteKind): readonly string[] {
  const allowed: readonly string[] = applicable[kind]
  return Object.keys(options).filter(name => name !== 'format' && name !== 'aliases' && !allowed.includes(name))
}
