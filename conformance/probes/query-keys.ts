import type { Expression, QueryOptions } from '../../runtime/query/index.js'
import { type QueryCapabilities, type Support, typeName } from '../../spec/language/index.js'
import { keyOf, onePerEndpoint, type Site } from '../discover/site.js'
import type { TestRequest, TestResponse } from '../http/message.js'
import type { Row } from '../json.js'
import { listSites } from '../lists/query-site.js'
import { predict } from '../oracle/predict.js'
import { constructsOf, readRequest } from '../rule/query-request.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../rule/response.js'
import type { Verdict } from '../rule/rule.js'
import { crossOriginLink } from '../session/list-pages.js'
import type { Session } from '../session/session.js'
import { binary, joinConditions, pathTo } from './expressions.js'
import { filterShape, printMinimal } from './filter-text.js'
import { grammarOf } from './grammar.js'
import { literalOf } from './observed-values.js'

/** The keys that a query gave, or why there is nothing to compare. */
export type QueryKeys =
  | {
      readonly kind: 'keys'
      readonly keys: ReadonlySet<string>
      /** Whether all pages were read, and `$top` cannot have cut anything off. */
      readonly isWhole: boolean
      /** The first page, which shows the query. */
      readonly answers: readonly TestResponse[]
    }
  | { readonly kind: 'ended'; readonly verdict: Verdict }

/** Pages read of one answer; beyond, only rows that should not be there tell something. */
const maxPages = 40

/** A query whose filter is written with no more parentheses than it takes. */
export function filterRequest(
  site: Site,
  options: QueryOptions,
  headers: Readonly<Record<string, string>> = {},
): TestRequest {
  const ask = readRequest(site, options, headers)
  const { filter, ...others } = options
  if (filter === undefined) return ask
  return { ...ask, options: others, rawQuery: `$filter=${encodeURIComponent(printMinimal(filter))}` }
}

/** Asks for the rows of a collection that a query selects. */
export async function queryKeys(
  site: Site,
  session: Session,
  options: QueryOptions,
  headers: Readonly<Record<string, string>> = {},
  pages: number = maxPages,
): Promise<QueryKeys> {
  const constructs = constructsOf(options)
  if (!session.support.maySend(site, constructs)) return ended({ kind: 'unsupported', constructs })
  const { rows, pages: answers, end } = await session.list(filterRequest(site, options, headers), { pages })
  const last = answers.at(-1)
  if (last === undefined || site.type === undefined) return ended({ kind: 'inconclusive', why: 'no answer' })
  if (end === 'refused') return ended(rejectedFilterVerdict(last, options, site, session))
  if (end === 'endless') return ended({ kind: 'inconclusive', why: 'the next links do not come to an end' })
  if (end === 'elsewhere') return ended({ kind: 'inconclusive', why: crossOriginLink })
  if (end === 'broken') {
    return ended(
      inconclusiveVerdict(last) ?? {
        kind: 'inconclusive',
        why: `a page of the list is none: ${describeResponse(last)}`,
      },
    )
  }
  const keys = new Set<string>()
  for (const row of rows) {
    const key = keyOf(row, site.type)
    if (key === undefined) return ended({ kind: 'inconclusive', why: 'rows do not show their key' })
    keys.add(key)
  }
  const isCut =
    options.top !== undefined && keys.size >= options.top && session.choices.get('topMeaning') !== 'pageSize'
  return { kind: 'keys', keys, isWhole: end === 'whole' && !isCut, answers: answers.slice(0, 1) }
}

function ended(verdict: Verdict): QueryKeys {
  return { kind: 'ended', verdict }
}

/**
 * The verdict on a filter that was not answered. What was answered in another filter is not to blame for this one: then it
 * is only the form of this one that is not supported.
 */
export function rejectedFilterVerdict(
  answer: TestResponse,
  options: QueryOptions,
  site: Site,
  session: Session,
): Verdict {
  const nothing = inconclusiveVerdict(answer)
  if (nothing !== undefined) return nothing
  if (!isRejection(answer, session)) return { kind: 'inconclusive', why: `the filter got ${describeResponse(answer)}` }
  const { endpoint } = site
  const constructs = constructsOf(options)
  if ('query' in endpoint && endpoint.query !== undefined && isFilterDemanded(options, endpoint.query, session)) {
    return {
      kind: 'fail',
      finding: {
        message: 'It refused a filter that every service of this interface must answer.',
        expected: 'status 200',
        received: describeResponse(answer),
        answers: [answer],
        features: ['refused', ...constructs.filter(construct => construct.startsWith('filter.')).sort()],
      },
    }
  }
  const isAllKnown = constructs.every(construct => session.support.isSupported(site, construct))
  if (!isAllKnown || options.filter === undefined) return { kind: 'unsupported', constructs }
  return { kind: 'unsupported', constructs: [...constructs, `the filter ${filterShape(options.filter)}`] }
}

/** Lists that can be filtered: the most telling of each endpoint, then the others. */
export function filterSites(session: Session): readonly Site[] {
  const all = listSites(session, query => query.filter.support !== 'none')
  return [...new Set([...onePerEndpoint(all), ...all])]
}

/** Pages without `$top` are of this size where the spec does not say. */
const defaultPageSize = 100
/** Rows over which a filter is evaluated only to plan its query. */
const maxPredictedRows = 2_000

/** The query of a filter, with pages as large as its rows where more than a default page is expected. */
export function pagedFilter(filter: Expression, site: Site, session: Session): QueryOptions {
  const { endpoint } = site
  const snapshot = session.snapshot(site)
  if (snapshot === undefined || endpoint.kind !== 'collection' || endpoint.query === undefined) return { filter }
  const { top } = endpoint.query
  if (top.support === 'none' || !session.support.maySend(site, ['filter', 'top'])) return { filter }
  const page = top.default ?? defaultPageSize
  if (snapshot.rows.length <= page) return { filter }
  const isFew = snapshot.rows.length <= maxPredictedRows && predict(filter, snapshot, session).may.size <= page
  if (isFew) return { filter }
  return { filter, top: Math.min(top.max ?? 1000, snapshot.rows.length + 20) }
}

/** The condition that picks one row by its key: `id eq 'x'`. Absent where the spec does not let filters read the key. */
export function keyFilter(row: Row, site: Site, session: Session): Expression | undefined {
  const { type } = site
  const grammar = grammarOf(site, session)
  if (type === undefined || grammar === undefined || !grammar.has('eq')) return undefined
  const parts: Expression[] = []
  for (const property of type.key) {
    const term = grammar.terms.find(({ path }) => path.length === 1 && path[0] === property.name)
    if (term === undefined) return undefined
    const primitive =
      property.type.kind === 'typeDefinition' ? `Edm.${property.type.underlying}` : typeName(property.type)
    const literal = literalOf(primitive, row[property.name], session)
    if (literal === undefined) return undefined
    parts.push(binary('eq', pathTo([property.name]), literal))
  }
  const [first, ...others] = parts
  if (first === undefined || (others.length > 0 && !grammar.has('and'))) return undefined
  return joinConditions('and', first, ...others)
}

/** Whether every service of the spec must answer a filter: each construct of it is `required`, and nothing else is asked. */
function isFilterDemanded(options: QueryOptions, query: QueryCapabilities, { service }: Session): boolean {
  const { filter } = query
  if (filter.support !== 'required' || Object.keys(options).some(name => name !== 'filter')) return false
  if (service.open.some(({ name }) => name === 'optionSupport' || name === 'queryLimits')) return false
  return constructsOf(options).every(construct => {
    if (construct === 'filter') return true
    if (construct.startsWith('filter:')) {
      const path = construct.slice('filter:'.length)
      return !Object.keys(filter.properties).some(name => path === name || path.startsWith(`${name}/`))
    }
    const name = construct.slice('filter.'.length)
    return [filter.operators, filter.functions, filter.lambdas].some(record => isRequired(record, name))
  })
}

function isRequired(record: Readonly<Record<string, Support>>, name: string): boolean {
  return Object.hasOwn(record, name) && record[name] === 'required'
}
