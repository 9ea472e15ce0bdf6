import type { QueryOptions, SearchExpression } from '../../../runtime/query/index.js'
import type { Snapshot } from '../../discover/site.js'
import { certainFilters, filterWithoutMatch } from '../../lists/certain-filters.js'
import { orderbyItem, selectItems } from '../../lists/properties.js'
import { countOf, queryText, readRows } from '../../lists/read-rows.js'
import { listSites, onePageOptions, pagingOptions, type QuerySite, querySite } from '../../lists/related-items.js'
import { sortablesOf } from '../../lists/sortable.js'
import { predict } from '../../oracle/predict.js'
import { grammarOf } from '../../probes/grammar.js'
import { readRequest } from '../../rule/query-request.js'
import type { ActiveRule, TestCase } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import type { Listing, Session } from '../../session/session.js'

/** @see OData Protocol 4.01, 11.2.6.5 */
export const countValue: ActiveRule = {
  kind: 'active',
  id: 'count-value',
  area: 'top-skip-count',
  statement: 'With $count=true, `@odata.count` is the number of matching items, regardless of $top and $skip.',
  advice:
    'The count covers the whole list after $filter and $search, and before $skip and $top. Typical errors are to count the page, the unfiltered list or the rows joined for $expand.',
  aspects: ['count.value'],
  covers: ['count'],
  severity: 'must',
  writes: false,
  requiredOptions: ['count'],
  cost: 1,
  weight: 18,
  sites: session => listSites(session, ({ count }) => count !== 'none'),
  cases: (site, session) => {
    const found = querySite(site)
    if (found === undefined || (session.snapshot(site)?.rows.length ?? 0) < 2)
      return { skipReason: 'a list of at least two items' }
    const alone = queries(found, session).map((options): TestCase => ({ options }))
    const paged = pagingOptions(found, session, 3)
    const pages: readonly TestCase[] =
      paged === undefined ? [] : [{ variant: 'pages', options: { ...paged, count: true } }]
    return { planned: [...alone.slice(0, 3), uncounted, ...pages, ...alone.slice(3)] }
  },
  check: async ({ options = {}, variant }, site, session) => {
    const found = querySite(site)
    const snapshot = session.snapshot(site)
    if (found === undefined || snapshot?.complete !== true) {
      return { kind: 'inconclusive', why: 'the list could not be read completely' }
    }
    if (options.count === false) await session.send(readRequest(site, options))
    if (options.count !== true) return { kind: 'pass', vacuous: true }
    const reading = await readRows(found, session, options, { pages: variant === 'pages' ? 2 : 1 })
    if (reading.kind === 'ended') return reading.verdict
    const answers = reading.listing.pages
    const { least, most } = expectedCount(options, reading.listing, snapshot, session)
    // Pages after the first need not repeat the count.
    const [first, ...later] = answers.map(countOf)
    const isWrong = (each: unknown): boolean => typeof each !== 'number' || each < least || each > most
    const wrong = later.find(each => each !== undefined && isWrong(each))
    const count = isWrong(first) ? first : wrong
    const text = queryText(options)
    if (!isWrong(first) && wrong === undefined)
      return { kind: 'pass', vacuous: options.search !== undefined && least !== most }
    const expected = least === most ? `${least}` : `${least} to ${most}`
    return failure({
      message:
        count === undefined
          ? `The response to ${text} has no @odata.count.`
          : !isWrong(first)
            ? `@odata.count of a later page of ${text} is not the number of matching items.`
            : `@odata.count of ${text} is not the number of matching items.`,
      expected: `@odata.count: ${expected}`,
      received: count === undefined ? 'no @odata.count' : `@odata.count: ${JSON.stringify(count)}`,
      answers,
      features: [
        'count',
        ...(count === undefined
          ? ['absent']
          : Object.keys(options)
              .filter(name => name !== 'count')
              .sort()),
      ],
    })
  },
}

/** The rule `count-unasked` inspects the response. A service may refuse it. */
const uncounted: TestCase = { options: { count: false } }

/** The expected count: from the snapshot and, for a complete listing, from the listing itself. */
function expectedCount(
  { filter, search, top, skip }: QueryOptions,
  { rows, end }: Listing,
  snapshot: Snapshot,
  session: Session,
): { readonly least: number; readonly most: number } {
  const isCut = end !== 'complete' || skip !== undefined || (top !== undefined && rows.length >= top)
  if (search !== undefined)
    return isCut ? { least: rows.length, most: snapshot.byKey.size } : searchAndFilter(rows.length)
  if (filter === undefined) return searchAndFilter(snapshot.byKey.size)
  const { must, may } = predict(filter, snapshot, session)
  return { least: must.size, most: may.size }
}

function searchAndFilter(size: number): { readonly least: number; readonly most: number } {
  return { least: size, most: size }
}

/** The count alone, with each option that must not change it, and with `$filter`, which must. */
function queries(site: QuerySite, session: Session): readonly QueryOptions[] {
  const { query } = site.endpoint
  const length = session.snapshot(site)?.rows.length ?? 0
  const [plain] = certainFilters(site, session)
  const [sortable] = sortablesOf(site, session)
  const most = Math.min(3, query.top.max ?? 3)
  const small: QueryOptions = query.top.support === 'none' ? {} : { top: Math.max(1, Math.min(most, length - 1)) }
  const relation = site.type.navigation.find(({ name, collection }) => {
    const { relations, support } = query.expand
    return collection && support !== 'none' && Object.hasOwn(relations, name) && relations[name] !== 'none'
  })
  const grammar = grammarOf(site, session)
  const none = grammar && filterWithoutMatch(grammar, session.snapshot(site)?.rows ?? [])
  const more: QueryOptions[] = []
  if (plain !== undefined) more.push({ filter: plain.filter, ...small })
  more.push(small)
  if (none !== undefined) more.push({ filter: none })
  if (query.skip !== 'none') more.push({ skip: Math.max(1, length - 2), ...small })
  if (relation !== undefined) more.push({ expand: [{ path: [relation.name] }] })
  if (query.top.support !== 'none' && query.top.min === 0) more.push({ top: 0 })
  if (sortable !== undefined) more.push({ orderby: [orderbyItem(sortable.leaf.path, 'desc')], ...small })
  const [key] = site.type.key
  if (query.select !== 'none' && key !== undefined) more.push({ select: selectItems([key.name]), ...small })
  const search = searchOf(site, session)
  if (search !== undefined) more.push({ search, ...onePageOptions(site, session) })
  return more.map(options => ({ ...options, count: true }))
}

/** A word from a searched property that some items contain and others do not. */
function searchOf(site: QuerySite, session: Session): SearchExpression | undefined {
  const { support, properties, syntax } = site.endpoint.query.search
  if (support === 'none') return undefined
  const rows = session.snapshot(site)?.rows ?? []
  for (const name of properties) {
    const counts = new Map<string, number>()
    for (const row of rows) {
      const text = Object.hasOwn(row, name) ? row[name] : undefined
      const words = typeof text === 'string' ? (text.match(/[A-Za-z][a-z]{2,}/g) ?? []) : []
      for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
    const [word] = [...counts].filter(([, count]) => count < rows.length / 2).sort((a, b) => b[1] - a[1])[0] ?? []
    if (word === undefined) continue
    return syntax === 'words' ? { kind: 'term', text: word } : { kind: 'phrase', text: `${name}:${word}` }
  }
  return undefined
}
