import type { QueryOptions } from '../../../runtime/query/index.js'
import { permittedValues } from '../../choices/choices.js'
import type { TestResponse } from '../../http/message.js'
import { queryText, visibleKeys } from '../../lists/read-rows.js'
import { listSites, type QuerySite, querySite } from '../../lists/related-items.js'
import { readRequest } from '../../rule/query-request.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import { pageOf, type Session } from '../../session/session.js'

/** The minimum and maximum of `$top`. @see OData Protocol 4.01, 11.2.6.3 */
export const topBounds: ActiveRule = {
  kind: 'active',
  id: 'top-bounds',
  area: 'top-skip-count',
  statement:
    'For a $top below the minimum or above the maximum, the service always does the same: it returns an error or a page.',
  advice:
    '$top=0 returns no items or an error. A $top above the maximum returns an error or a page no longer than the maximum.',
  aspects: ['top.maximum'],
  covers: ['top', 'top.max', 'top.min'],
  severity: 'must',
  writes: false,
  requiredOptions: ['top'],
  cost: 1,
  weight: 2,
  sites: session => listSites(session, ({ top }) => top.support !== 'none'),
  cases: (site, session) => {
    const found = querySite(site)
    if (found === undefined || (session.snapshot(site)?.rows.length ?? 0) === 0)
      return { skipReason: 'a list with items' }
    const { max } = found.endpoint.query.top
    return { planned: [{ options: { top: 0 } }, ...(max === undefined ? [] : [{ options: { top: max + 1 } }])] }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    const { max = Number.POSITIVE_INFINITY } = found?.endpoint.query.top ?? {}
    if (found === undefined || options.top === undefined || (options.top > 0 && options.top <= max)) {
      return { kind: 'pass', vacuous: true }
    }
    if (!session.support.maySend(site, ['top'])) return { kind: 'unsupported', constructs: ['top'] }
    const response = await session.send(readRequest(site, options))
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    if (isRejection(response, session) && isUnsupported(found, session))
      return { kind: 'unsupported', constructs: ['top'] }
    return options.top === 0 ? atZero(response, options, found, session) : above(response, options, found, session)
  },
}

/** Whether the service may not support `$top`. */
function isUnsupported(site: QuerySite, session: Session): boolean {
  return site.endpoint.query.top.support !== 'required' && !session.support.isSupported(site, 'top')
}

function atZero(response: TestResponse, options: QueryOptions, site: QuerySite, session: Session): Verdict {
  const zero = permittedValues(session, 'topZero', site.endpoint.query.top.min > 0 ? 'error' : 'empty')
  const mustRefuse = site.endpoint.query.top.min > 0 || zero.isOnly('error')
  if (isRejection(response, session)) {
    return zero.includes('error') || mustRefuse
      ? { kind: 'pass' }
      : wrong(response, options, 'an empty page', 'refused')
  }
  const page = pageOf(response)
  if (page === undefined) return { kind: 'inconclusive', why: describeResponse(response) }
  if (mustRefuse) return wrong(response, options, 'an error', 'accepted')
  return page.rows.length === 0 ? { kind: 'pass' } : wrong(response, options, 'no items', 'zero')
}

function above(response: TestResponse, options: QueryOptions, site: QuerySite, session: Session): Verdict {
  const { above: declared, max = 0 } = site.endpoint.query.top
  const choice = permittedValues(session, 'topAboveMaximum', declared)
  const may = (way: string): boolean =>
    declared === 'open' ? choice.includes(way) || choice.isOnly('open') : declared === way
  if (isRejection(response, session)) {
    return may('error') ? { kind: 'pass' } : wrong(response, options, `a page of at most ${max} items`, 'refused')
  }
  const page = pageOf(response)
  if (page === undefined) return { kind: 'inconclusive', why: describeResponse(response) }
  if (!may('clamp') && !may('ignore')) return wrong(response, options, 'an error', 'accepted')
  if (page.rows.length > max) return wrong(response, options, `at most ${max} items on a page`, 'max')
  const snapshot = session.snapshot(site)
  const surplus = (visibleKeys(page.rows, site.type) ?? []).filter(
    key => snapshot?.complete && !snapshot.byKey.has(key),
  )
  return surplus.length === 0 ? { kind: 'pass' } : wrong(response, options, 'items of the list', 'max')
}

function wrong(response: TestResponse, options: QueryOptions, expected: string, feature: string): Verdict {
  return failure({
    message: `${queryText(options)} does not get a permitted response for this $top.`,
    expected,
    received: describeResponse(response),
    answers: [response],
    features: ['top', options.top === 0 ? 'least' : 'most', feature],
  })
}
