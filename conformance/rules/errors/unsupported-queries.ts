import { type Expression, printQueryOptions, type QueryOptions } from '../../../runtime/query/index.js'
import type { QueryCapabilities } from '../../../spec/language/index.js'
import type { Case } from '../../rule/case.js'
import type { Site } from '../../site/site.js'

/** A text that is nowhere. */
const nowhere = 'specwrightnosuchword'

/**
 * Queries that leave nothing, or one row, of a collection when they are carried out, so that it shows when they are passed
 * over: for each option that the spec says is not supported there. `name` is the option without `$`, `text` the query,
 * `variant` the relation that is expanded.
 *
 * @param rows how many rows there are; absent for an item
 */
export function unsupportedQueries({ endpoint, type }: Site, rows: number | undefined): readonly Case[] {
  if (!('query' in endpoint) || endpoint.query === undefined || type === undefined) return []
  const { query } = endpoint
  const [key] = type.key
  const none = wholeOptions(query)
  // A collection shows when it is expanded, if only as an empty one; a single relation may be left out.
  const relation = type.navigation.find(({ name, collection }) => {
    return collection && (none.expand || (query.expand.relations[name] ?? 'none') === 'none')
  })?.name
  const queries: readonly (Query | undefined)[] = [
    none.top ? { name: 'top', options: { top: 1 } } : undefined,
    none.filter && key !== undefined ? { name: 'filter', options: { filter: neverMet(key.name) } } : undefined,
    relation === undefined ? undefined : { name: 'expand', options: { expand: [{ path: [relation] }] } },
    none.skip ? { name: 'skip', options: { skip: Math.max(rows ?? 0, 1) } } : undefined,
    none.search ? { name: 'search', options: { search: { kind: 'term', text: nowhere } } } : undefined,
    none.count ? { name: 'count', options: { count: true } } : undefined,
    none.orderby && rows === undefined && key !== undefined
      ? { name: 'orderby', options: { orderby: [{ expression: path(key.name), direction: 'desc' }] } }
      : undefined,
    none.select && key !== undefined ? { name: 'select', options: { select: [{ path: [key.name] }] } } : undefined,
  ]
  return queries
    .filter(each => each !== undefined)
    .map(({ name, options }) => {
      const text = printQueryOptions(options)
      return name === 'expand' && relation !== undefined ? { name, text, variant: relation } : { name, text }
    })
}

interface Query {
  readonly name: Option
  readonly options: QueryOptions
}

function wholeOptions(query: QueryCapabilities): Readonly<Record<Option, boolean>> {
  return {
    top: query.top.support === 'none',
    filter: query.filter.support === 'none',
    expand: query.expand.support === 'none',
    skip: query.skip === 'none',
    search: query.search.support === 'none',
    count: query.count === 'none',
    orderby: query.orderby.support === 'none',
    select: query.select === 'none',
  }
}

type Option = 'top' | 'filter' | 'expand' | 'skip' | 'search' | 'count' | 'orderby' | 'select'

/** No item meets it: keys are never null. */
function neverMet(name: string): Expression {
  return { kind: 'binary', operator: 'eq', left: path(name), right: { kind: 'literal', type: 'null', value: null } }
}

function path(name: string): Expression {
  return { kind: 'path', segments: [{ kind: 'property', name }] }
}
