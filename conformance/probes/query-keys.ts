import { type Expression, printFilter, type QueryOptions } from '../../runtime/query/index.js'
import { type QueryCapabilities, type Support, typeName } from '../../spec/language/index.js'
import { keyOf, onePerEndpoint, type Site } from '../discover/site.js'
import type { TestRequest, TestResponse } from '../http/message.js'
import type { Row } from '../json.js'
import { listFailure } from '../lists/read-rows.js'
import { listSites } from '../lists/related-items.js'
import { predict } from '../oracle/predict.js'
import { constructsOf, readRequest } from '../rule/query-request.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../rule/response.js'
import { failure, type Verdict } from '../rule/verdict.js'
import type { Session } from '../session/session.js'
import { binary, joinConditions, pathTo } from './expressions.js'
import { grammarOf } from './grammar.js'
import { literalOf } from './observed-values.js'

/** The keys that a query returned, or the verdict if there is nothing to compare. */
export type QueryKeys =
  | {
      readonly kind: 'keys'
      readonly keys: ReadonlySet<string>
      /** Whether all pages were read, and `$top` cannot have truncated the list. */
      readonly isWhole: boolean
      /** The first page, which shows the query. */
      readonly answers: readonly TestResponse[]
    }
  | { readonly kind: 'ended'; readonly verdict: Verdict }

/** Maximum pages to read. Beyond them, only surplus rows are evidence. */
const maxPages = 40

/** A query whose filter has the fewest possible parentheses. */
export function filterRequest(
  site: Site,
  options: QueryOptions,
  headers: Readonly<Record<string, string>> = {},
): TestRequest {
  const request = readRequest(site, options, headers)
  const { filter, ...others } = options
  if (filter === undefined) return request
  return { ...request, options: others, rawQuery: `$filter=${encodeURIComponent(printMinimal(filter))}` }
}

/** Reads the keys of the rows that a query selects. */
export async function queryKeys(
  site: Site,
  session: Session,
  options: QueryOptions,
  headers: Readonly<Record<string, string>> = {},
  pages: number = maxPages,
): Promise<QueryKeys> {
  const constructs = constructsOf(options)
  if (!session.support.maySend(site, constructs)) return ended({ kind: 'unsupported', constructs })
  const listing = await session.list(filterRequest(site, options, headers), { pages })
  const unread = listFailure(listing, last => rejectedFilterVerdict(last, options, site, session))
  if (unread !== undefined) return ended(unread)
  const { rows, pages: responses, end } = listing
  if (site.type === undefined) return ended({ kind: 'inconclusive', why: 'rows have no key' })
  const keys = new Set<string>()
  for (const row of rows) {
    const key = keyOf(row, site.type)
    if (key === undefined) return ended({ kind: 'inconclusive', why: 'rows have no key' })
    keys.add(key)
  }
  const isCut =
    options.top !== undefined && keys.size >= options.top && session.choices.get('topMeaning') !== 'pageSize'
  return { kind: 'keys', keys, isWhole: end === 'complete' && !isCut, answers: responses.slice(0, 1) }
}

function ended(verdict: Verdict): QueryKeys {
  return { kind: 'ended', verdict }
}

/** The verdict on a rejected filter. If each construct was answered before, only this form of filter is unsupported. */
export function rejectedFilterVerdict(
  response: TestResponse,
  options: QueryOptions,
  site: Site,
  session: Session,
): Verdict {
  const nothing = inconclusiveVerdict(response)
  if (nothing !== undefined) return nothing
  if (!isRejection(response, session))
    return { kind: 'inconclusive', why: `the filter returned ${describeResponse(response)}` }
  const { endpoint } = site
  const constructs = constructsOf(options)
  if ('query' in endpoint && endpoint.query !== undefined && isFilterDemanded(options, endpoint.query, session)) {
    return failure({
      message: 'It rejected a filter that every service of this interface must support.',
      expected: 'status 200',
      received: describeResponse(response),
      answers: [response],
      features: ['refused', ...constructs.filter(construct => construct.startsWith('filter.')).sort()],
    })
  }
  const isAllKnown = constructs.every(construct => session.support.isSupported(site, construct))
  if (!isAllKnown || options.filter === undefined) return { kind: 'unsupported', constructs }
  return { kind: 'unsupported', constructs: [...constructs, `the filter ${filterShape(options.filter)}`] }
}

/** Lists that can be filtered: the most informative one of each endpoint first. */
export function filterSites(session: Session): readonly Site[] {
  const all = listSites(session, query => query.filter.support !== 'none')
  return [...new Set([...onePerEndpoint(all), ...all])]
}

/** The default page size if the spec does not declare one. */
const defaultPageSize = 100
/** Maximum rows for which to predict the page size. */
const maxPredictedRows = 2_000

/** The query for a filter. It requests larger pages if the result is likely to exceed a default page. */
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

/** A condition that selects one row by its key: `id eq 'x'`. Absent if the spec does not allow filters on the key. */
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

/** Whether every service must answer a filter: each construct is `required`, and there are no other options. */
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
    const name = construct.slice(construct.indexOf('.') + 1)
    return [filter.operators, filter.functions, filter.lambdas].some(record => isRequired(record, name))
  })
}

function isRequired(record: Readonly<Record<string, Support>>, name: string): boolean {
  return Object.hasOwn(record, name) && record[name] === 'required'
}

/**
 * Prints a filter with the fewest possible parentheses, so that the service must know the precedence of `and`, `or` and
 * `not`. The printer of the query runtime prints more.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.17
 */
export function printMinimal(filter: Expression): string {
  if (filter.kind === 'unary' && filter.operator === 'not') {
    const { operand } = filter
    const bindsTighter = operand.kind === 'call' || operand.kind === 'lambda' || operand.kind === 'path'
    return bindsTighter ? `not ${printFilter(operand)}` : `not (${printMinimal(operand)})`
  }
  if (filter.kind !== 'binary' || (filter.operator !== 'and' && filter.operator !== 'or')) return printFilter(filter)
  const { operator, left, right } = filter
  const print = (part: Expression): string => {
    const needs = operator === 'and' && part.kind === 'binary' && part.operator === 'or'
    return needs ? `(${printMinimal(part)})` : printMinimal(part)
  }
  return `${print(left)} ${operator} ${print(right)}`
}

/** Length of the encoded filter. Some servers reject longer ones. */
const maxFilterLength = 1500

/** Caches the length of conditions, which occur in many filters. */
const lengthCache = new WeakMap<Expression, number>()

/** Whether a filter is longer than servers commonly accept. */
export function isFilterTooLong(filter: Expression): boolean {
  return maxEncodedLength(filter) > maxFilterLength && encodedLength(filter) > maxFilterLength
}

/** The length if every operand of `and`, `or` and `not` had parentheses. */
function maxEncodedLength(filter: Expression): number {
  if (filter.kind === 'unary' && filter.operator === 'not') return maxEncodedLength(filter.operand) + 'not%20()'.length
  if (filter.kind === 'binary' && (filter.operator === 'and' || filter.operator === 'or')) {
    return maxEncodedLength(filter.left) + maxEncodedLength(filter.right) + '()%20and%20()'.length
  }
  const length = lengthCache.get(filter) ?? encodedLength(filter)
  lengthCache.set(filter, length)
  return length
}

function encodedLength(filter: Expression): number {
  return encodeURIComponent(printFilter(filter)).length
}

/** A filter without its literals, for people: `(subject eq …) and not …`. */
export function filterShape(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return '…'
    case 'path':
      return expression.segments
        .map(segment => (segment.kind === 'property' ? segment.name : `$${segment.kind}`))
        .join('/')
    case 'unary':
      return expression.operator === 'not'
        ? `not (${filterShape(expression.operand)})`
        : `-${filterShape(expression.operand)}`
    case 'binary':
      return `(${filterShape(expression.left)} ${expression.operator} ${filterShape(expression.right)})`
    case 'call':
      return `${expression.function}(${expression.arguments.map(filterShape).join(',')})`
    case 'lambda':
      return `${filterShape(expression.collection)}/${expression.operator}(${expression.predicate === undefined ? '' : filterShape(expression.predicate)})`
    case 'list':
      return '(…)'
    default:
      return expression.kind
  }
}
