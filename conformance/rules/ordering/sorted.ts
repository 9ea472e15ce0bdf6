import fc from 'fast-check'
import type { QueryOptions } from '../../../runtime/query/index.js'
import { openTo } from '../../reading/choice-of.js'
import { disorderOf } from '../../reading/disorder.js'
import { keysShown } from '../../reading/keys-shown.js'
import { listSites, type QuerySite, querySite } from '../../reading/list-sites.js'
import { onePage } from '../../reading/one-page.js'
import { plainFilters } from '../../reading/plain-filter.js'
import { orderedBy } from '../../reading/property-path.js'
import { queryText } from '../../reading/query-text.js'
import { readRows } from '../../reading/read-rows.js'
import { sortKeysOf, sortValues } from '../../reading/sort-key.js'
import { byType, kindOf, type Sortable, sortablesOf } from '../../reading/sortable.js'
import type { Case } from '../../rule/case.js'
import type { Rule } from '../../rule/rule.js'
import type { Verdict } from '../../rule/verdict.js'
import type { Listing } from '../../session/listing.js'
import type { Session } from '../../session/session.js'
import { orderFinding } from './order-finding.js'

/** ORD-SORTED, ORD-LEX, ORD-SET. */
export const orderSorted: Rule = {
  kind: 'asking',
  id: 'order-sorted',
  area: 'ordering',
  statement:
    'A list comes in the order of its keys: the first decides, the next among equals, ascending unless desc is said.',
  advice:
    'Common causes: the direction is lost on the way, it is applied to all keys or only to the last, later keys are left ' +
    'out, numbers or moments are sorted as text, and rows without a value fall out of the list.',
  clauses: ['orderby.keys'],
  covers: ['orderby', 'orderby.keys'],
  severity: 'must',
  writes: false,
  about: ['orderby'],
  cost: 1,
  weight: 20,
  sites: session => listSites(session, query => query.orderby.support !== 'none'),
  cases: (site, session) => {
    const found = querySite(site)
    const sortables = found === undefined ? [] : byType(sortablesOf(found, session), kindsBefore(found, session))
    const [first] = sortables
    if (found === undefined || first === undefined) return { thin: 'a property with different values to order by' }
    const filter = plainFilters(found, session)[0]?.filter
    const single = sortables.map(({ leaf }, index): Case => {
      return { options: { orderby: [orderedBy(leaf.path, index % 2 === 0 ? 'desc' : 'asc')] } }
    })
    const reverse = sortables.map(({ leaf }, index): Case => {
      return { options: { orderby: [orderedBy(leaf.path, index % 2 === 0 ? 'asc' : 'desc')] } }
    })
    const several = pairs(sortables, found.endpoint.query.orderby.maxKeys ?? 2)
    // With a filter as well: orders get lost between the two. Alone, too, where a service does not take both at once.
    const filtered =
      filter === undefined ? [] : several.slice(0, 1).map(({ options }) => ({ options: { ...options, filter } }))
    const page = onePage(found, session)
    const planned = [
      ...single.slice(0, 1),
      ...filtered,
      ...single.slice(1, 3),
      ...several,
      ...single.slice(3),
      ...reverse,
    ]
    const whole = wholeList(found, session)
    return {
      // The first with $top in any case: orders get lost between the two.
      planned: planned.map(({ options }, index) => ({ options: { ...options, ...(index === 0 ? whole : page) } })),
      random: drawn(sortables, page),
    }
  },
  // With $top where the query has it: orders get lost between the two.
  plainest: ({ orderby, top }, site, session) => {
    const found = querySite(site)
    if (found === undefined || orderby === undefined) return undefined
    return { options: { orderby, ...(top === undefined ? onePage(found, session) : wholeList(found, session)) } }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    if (found === undefined) return { kind: 'inconclusive', why: 'no list' }
    const reading = await readRows(found, session, options)
    if (reading.kind === 'ended') return reading.verdict
    return judged(reading.listing, options, found, session)
  },
}

/** A `$top` that cuts nothing off. */
function wholeList(site: QuerySite, session: Session): QueryOptions {
  const { support, max = Number.POSITIVE_INFINITY } = site.endpoint.query.top
  const size = session.snapshot(site)?.rows.length ?? 0
  return support === 'none' || size > max || size === 0 ? onePage(site, session) : { top: size }
}

/** What the lists that are tried before this one can be ordered by. */
function kindsBefore(site: QuerySite, session: Session): ReadonlySet<string> {
  const sites = listSites(session, query => query.orderby.support !== 'none')
  const before = sites.slice(
    0,
    Math.max(
      0,
      sites.findIndex(({ id }) => id === site.id),
    ),
  )
  return new Set(before.slice(0, 6).flatMap(each => sortablesOf(each, session).map(({ leaf }) => kindOf(leaf))))
}

/** Two keys: the first has items that are equal in it, so that the second decides. Directions differ. */
function pairs(sortables: readonly Sortable[], maxKeys: number): readonly Case[] {
  if (maxKeys < 2) return []
  const firsts = sortables.filter(({ tied }) => tied > 2).sort((a, b) => b.tied - a.tied || a.distinct - b.distinct)
  return firsts.slice(0, 3).flatMap((first, index) => {
    const second = sortables.filter(each => each !== first).sort((a, b) => rank(b) - rank(a))[0]
    if (second === undefined) return []
    const directions = index % 2 === 0 ? (['asc', 'desc'] as const) : (['desc', 'asc'] as const)
    return [
      {
        options: {
          orderby: [orderedBy(first.leaf.path, directions[0]), orderedBy(second.leaf.path, directions[1])],
        },
      },
    ]
  })
}

function rank({ distinct, isCertain }: Sortable): number {
  return distinct + (isCertain ? 1000 : 0)
}

function drawn(sortables: readonly Sortable[], page: QueryOptions): fc.Arbitrary<Case> {
  const key = fc
    .tuple(fc.constantFrom(...sortables), fc.constantFrom('asc' as const, 'desc' as const))
    .map(([{ leaf }, direction]) => ({ name: leaf.path.join('/'), item: orderedBy(leaf.path, direction) }))
  return fc
    .uniqueArray(key, { minLength: 1, maxLength: 2, selector: ({ name }) => name })
    .map(keys => ({ options: { orderby: keys.map(({ item }) => item), ...page } }))
}

function judged({ rows, pages, end }: Listing, options: QueryOptions, site: QuerySite, session: Session): Verdict {
  const keys = sortKeysOf(options, site.type)
  if (keys === undefined) return { kind: 'inconclusive', why: 'no order by properties' }
  const snapshot = session.snapshot(site)
  const values = rows.map(row => sortValues(row, keys, snapshot))
  const wrong = disorderOf(values, keys, session)
  if (wrong !== undefined) {
    return { kind: 'fail', finding: { ...orderFinding(options, keys, values, wrong), answers: pages.slice(0, 3) } }
  }
  const trivial = rows.length < 2
  const shown = keysShown(rows, site.type)
  if (shown === undefined || snapshot?.complete !== true || end !== 'whole') return { kind: 'pass', trivial }
  const isWhole = options.top === undefined || options.top >= snapshot.byKey.size
  if (options.filter !== undefined || (!isWhole && !openTo(session, 'topMeaning', 'total').does('pageSize'))) {
    return { kind: 'pass', trivial }
  }
  const present = new Set(shown)
  const missing = [...snapshot.byKey.keys()].filter(key => !present.has(key))
  const surplus = shown.filter(key => !snapshot.byKey.has(key))
  if (missing.length === 0 && surplus.length === 0) return { kind: 'pass', trivial }
  const isNull = (key: string): boolean => {
    const row = snapshot.byKey.get(key)
    return row !== undefined && sortValues(row, keys, snapshot).includes(null)
  }
  const areNull = missing.length > 0 && missing.every(isNull)
  return {
    kind: 'fail',
    finding: {
      message: `Ordering changes which items the list has: ${queryText(options)}.`,
      expected: `the same ${snapshot.byKey.size} items as without an order`,
      received: `${shown.length} items`,
      missing,
      surplus,
      answers: pages.slice(0, 3),
      features: ['orderby', 'items', ...(areNull ? ['null'] : [])],
    },
  }
}
