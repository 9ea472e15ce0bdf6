import { diverseFirst, onePerEndpoint, type Site } from '../../discover/site.js'
import { allConditionHeaders, filterableProperties, quoteString } from '../../rule/query-request.js'
import { errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule, TestCase } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import { pageOf, type Session } from '../../session/session.js'

export const malformedOption: ActiveRule = {
  kind: 'active',
  id: 'malformed-option',
  area: 'errors',
  statement: 'A malformed query option is rejected, never ignored.',
  advice:
    'If you ignore a typing error, the client works with rows that it did not request. Parse every option before you run the query, check names and literals against the types, and return 400 with the reason.',
  aspects: ['error.unsupported', 'options.support'],
  covers: ['error.malformedQueryOption', 'fault.malformedQueryOption', 'filter', 'orderby', 'top', 'skip', 'expand'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 11,
  sites: sitesOf,
  // Each endpoint begins with other values, because a run seldom reaches the end of the list at one of them.
  cases: (site, session) => {
    const all = malformedOptions(site, session)
    const place = sitesOf(session).findIndex(({ id }) => id === site.id)
    const start = (valuesPerSite * Math.max(0, place)) % all.length
    return { planned: [...all.slice(start), ...all.slice(0, start)] }
  },
  check: async ({ name = '', text = '', variant }, site, session) => {
    const response = await session.send({
      method: 'GET',
      path: site.path,
      rawQuery: `$${name}=${encodeURIComponent(text)}`,
      headers: allConditionHeaders(site.endpoint),
    })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const { malformedQueryOption, unsupportedQueryOption } = session.service.faults
    const finding = errorFinding(response, [malformedQueryOption, unsupportedQueryOption], session)
    if (finding === undefined) return { kind: 'pass' }
    if (response.status >= 400) return failure(finding)
    // A comparison of values that cannot be compared may be null, so that no item matches.
    const isEmpty =
      pageOf(response)?.rows.length === 0 || (site.endpoint.kind === 'count' && response.text.trim() === '0')
    if (variant === otherType && isEmpty) return { kind: 'pass', vacuous: true }
    return failure({
      ...finding,
      message: `$${name}=${text} got status ${response.status}, although it is malformed.`,
      features: [...finding.features, name],
    })
  },
}

/** The number of values by which the list of one endpoint starts later than that of the one before. */
const valuesPerSite = 3

const otherType = 'literal of another type'

const sitesByRun = new WeakMap<object, readonly Site[]>()

/** Each site asks for its place among all of them, so they are chosen once. */
function sitesOf(session: Session): readonly Site[] {
  const known = sitesByRun.get(session.run)
  if (known !== undefined) return known
  const sites = diverseFirst(onePerEndpoint(session.sites).filter(site => malformedOptions(site, session).length > 0))
  sitesByRun.set(session.run, sites)
  return sites
}

/**
 * Malformed values for the query options that an endpoint supports. The most distinctive value of each option comes first. Some
 * have quotes and backslashes: an error that repeats them must still be JSON. `text` is the value, `name` the option without `$`.
 */
function malformedOptions(site: Site, session: Session): readonly TestCase[] {
  const { endpoint } = site
  if (!('query' in endpoint) || endpoint.query === undefined) return []
  const { filter, orderby, expand, top, skip, count } = endpoint.query
  const supported: readonly (readonly TestCase[])[] = [
    filter.support === 'none' ? [] : filters(site, session),
    top.support === 'none' ? [] : numbers('top'),
    orderby.support === 'none' ? [] : orders(site),
    skip === 'none' ? [] : numbers('skip'),
    count === 'none' ? [] : [{ name: 'count', variant: 'no Boolean', text: 'maybe' }],
    expand.support === 'none' ? [] : expansions(site),
  ]
  const longest = Math.max(...supported.map(cases => cases.length))
  const inTurn = Array.from({ length: longest }, (_, index) => supported.flatMap(cases => cases[index] ?? []))
  return inTurn.flat()
}

function numbers(name: 'top' | 'skip'): readonly TestCase[] {
  return [
    { name, variant: 'no number', text: '"many"' },
    { name, variant: 'negative', text: '-1' },
    { name, variant: 'fraction', text: '1.5' },
  ]
}

function filters(site: Site, session: Session): readonly TestCase[] {
  const name = 'filter'
  const text = filterableProperties(site, session, 'String')[0]?.name
  const flag = filterableProperties(site, session, 'Boolean')[0]?.name
  const instant = filterableProperties(site, session, 'DateTimeOffset', 'Date')[0]?.name
  const number = filterableProperties(site, session, 'Int16', 'Int32', 'Int64', 'Decimal', 'Double')[0]?.name
  if (text === undefined) return [{ name, variant: 'no expression', text: '(' }]
  const cases: readonly (TestCase | undefined)[] = [
    { name, variant: 'text without end', text: `${text} eq 'a "b" \\ c` },
    { name, variant: 'unknown operator', text: `${text} resembles 'a'` },
    mayHaveOthers(site) ? undefined : { name, variant: 'unknown property', text: `specwrightNoSuch eq 'a'` },
    { name, variant: 'operand missing', text: `${text} eq` },
    instant === undefined ? undefined : { name, variant: otherType, text: `${instant} gt 'the "banana" \\ fruit'` },
    { name, variant: 'parenthesis without end', text: `(${text} eq 'a'` },
    { name, variant: 'unknown function', text: `resembles(${text},${quoteString('a')})` },
    { name, variant: 'operator without right side', text: `${text} eq 'a' and` },
    flag === undefined ? undefined : { name, variant: otherType, text: `${flag} eq 'banana'` },
    number === undefined ? undefined : { name, variant: otherType, text: `${number} gt 'banana'` },
    { name, variant: 'no truth value', text: `'a'` },
    { name, variant: 'two expressions', text: `${text} eq 'a' ${text} eq 'b'` },
  ]
  return cases.filter(each => each !== undefined)
}

/** Items of open types may have properties with any name. */
function mayHaveOthers({ type }: Site): boolean {
  return type?.open === true
}

function orders({ type }: Site): readonly TestCase[] {
  const property = type?.key[0]?.name
  if (property === undefined) return []
  return [{ name: 'orderby', variant: 'no direction', text: `${property} sideways` }]
}

function expansions(site: Site): readonly TestCase[] {
  const { endpoint } = site
  const relations = 'query' in endpoint ? Object.entries(endpoint.query?.expand.relations ?? {}) : []
  const relation = relations.find(([, support]) => support !== 'none')?.[0]
  return [
    { name: 'expand', variant: 'quoted name', text: '"specwrightNoSuch\\"' },
    { name: 'expand', variant: 'unknown relation', text: 'specwrightNoSuch' },
    ...(relation === undefined
      ? []
      : [{ name: 'expand', variant: 'parenthesis without end', text: `${relation}($select=` }]),
  ]
}
