import type { ExpandItem, QueryOptions } from '../../../runtime/query/index.js'
import { smallerExpressions } from './smaller-expressions.js'

/**
 * Queries with less in them: options left out, then lists and expressions made shorter.
 *
 * @param kept options that are not left out
 */
export function* smallerOptions(
  options: QueryOptions,
  kept: readonly (keyof QueryOptions)[] = [],
): Iterable<QueryOptions> {
  const { filter, orderby, select, expand, top, skip, search, count, ...others } = options
  const all = { filter, orderby, select, expand, top, skip, search, count }
  const given = Object.entries(all).filter(([, value]) => value !== undefined)
  if (given.length > 1) {
    for (const [name] of given) {
      if (kept.some(each => each === name)) continue
      yield { ...others, ...Object.fromEntries(given.filter(([other]) => other !== name)) }
    }
  }
  if (filter !== undefined) {
    for (const smaller of smallerExpressions(filter)) yield { ...options, filter: smaller }
  }
  for (const shorter of withoutOne(orderby)) yield { ...options, orderby: shorter }
  for (const shorter of withoutOne(select)) yield { ...options, select: shorter }
  for (const shorter of withoutOne(expand)) yield { ...options, expand: shorter }
  for (const [index, item] of (expand ?? []).entries()) {
    for (const smaller of smallerExpand(item)) yield { ...options, expand: (expand ?? []).with(index, smaller) }
  }
  if (top !== undefined && top > 1) yield { ...options, top: Math.floor(top / 2) }
  if (skip !== undefined && skip > 1) yield { ...options, skip: Math.floor(skip / 2) }
}

function* smallerExpand(item: ExpandItem): Iterable<ExpandItem> {
  const { options, ...plain } = item
  if (options === undefined) return
  yield plain
  for (const smaller of smallerOptions(options)) yield { ...plain, options: smaller }
}

function* withoutOne<T>(items: readonly T[] | undefined): Iterable<readonly T[]> {
  if (items === undefined || items.length < 2) return
  for (const index of items.keys()) yield items.toSpliced(index, 1)
}
