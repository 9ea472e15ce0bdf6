import type { Site, Snapshot } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { countOf } from '../../lists/read-rows.js'
import { conditionHeaders } from '../../rule/query-request.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule, PassiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'

/** @see OData JSON Format 4.01, 4.5.4 */
export const countType: PassiveRule = {
  kind: 'passive',
  id: 'count-type',
  area: 'top-skip-count',
  statement: '`@odata.count` is a non-negative integer.',
  advice: 'Write it as a JSON number: 12, not "12", null or -1.',
  aspects: ['count.value'],
  covers: ['count'],
  severity: 'must',
  inspect: (response, site) => {
    if (response.status !== 200 || site?.endpoint.kind !== 'collection') return undefined
    const count = countOf(response)
    if (count === undefined) return undefined
    if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return 'seen'
    return {
      message: '@odata.count is not a non-negative integer.',
      expected: 'a JSON number, at least 0',
      received: `@odata.count: ${JSON.stringify(count)}`,
      answers: [response],
      features: ['count', 'type'],
    }
  },
}

/** @see OData Protocol 4.01, 11.2.6.5 */
export const countUnasked: PassiveRule = {
  kind: 'passive',
  id: 'count-unasked',
  area: 'top-skip-count',
  statement: '`@odata.count` is present only if the request has $count=true.',
  advice: 'Counting costs as much as reading the whole list. Omit the count unless the client requests it.',
  aspects: ['count.value'],
  covers: ['count'],
  severity: 'should',
  inspect: (response, site) => {
    const { path, options = {}, rawQuery } = response.testRequest
    // The options of a next link are not known.
    const isPlain = rawQuery === undefined && path === site?.path && options.count !== true
    if (response.status !== 200 || site?.endpoint.kind !== 'collection' || !isPlain) return undefined
    const count = countOf(response)
    if (count === undefined) return 'seen'
    return {
      message: 'The response has @odata.count, although it was not requested.',
      expected: 'no @odata.count',
      received: `@odata.count: ${JSON.stringify(count)}`,
      answers: [response],
      features: ['count', 'unasked'],
    }
  },
}

/** @see OData Protocol 4.01, 11.2.10 */
export const countPath: ActiveRule = {
  kind: 'active',
  id: 'count-path',
  area: 'top-skip-count',
  statement: 'The count endpoint of a collection returns a number: how many items the collection has.',
  advice: 'The body is the number as plain text. Compute it from the same rows that the list shows.',
  aspects: ['count.path'],
  covers: ['endpoint.count', 'countPath'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 6,
  sites: session => session.sites.filter(site => site.endpoint.kind === 'count'),
  cases: (site, session) => {
    const snapshot = countedBy(site, session)
    if (snapshot?.complete !== true) return { skipReason: 'the counted list, read completely' }
    return { planned: [{}] }
  },
  check: async (_, site, session) => {
    const { endpoint } = site
    const constructs = ['countPath']
    if (!session.support.maySend(site, constructs)) return { kind: 'unsupported', constructs }
    const response = await session.send({ method: 'GET', path: site.path, headers: conditionHeaders(endpoint, []) })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const snapshot = countedBy(site, session)
    if (snapshot?.complete !== true)
      return { kind: 'inconclusive', why: 'the counted list could not be read completely' }
    const expected = `status 200 and the number ${snapshot.byKey.size}`
    if (response.status !== 200) {
      if (isRejection(response, session) && endpoint.support !== 'required') return { kind: 'unsupported', constructs }
      if (!isRejection(response, session)) return { kind: 'inconclusive', why: describeResponse(response) }
    }
    const count = numberIn(response)
    if (response.status === 200 && count === snapshot.byKey.size) return { kind: 'pass', vacuous: count === 0 }
    return failure({
      message:
        response.status === 200 && count !== undefined
          ? 'The count endpoint does not return the number of items in the list.'
          : 'The count endpoint does not return a number.',
      expected,
      received: describeResponse(response),
      answers: [response],
      features: ['countPath', ...(count === undefined ? ['type'] : [])],
    })
  },
}

/** As text or JSON, quoted or not: the interface declares a number without a media type. */
function numberIn({ text, json }: TestResponse): number | undefined {
  if (typeof json === 'number') return json
  const bare = (typeof json === 'string' ? json : text).replace(/^\uFEFF/u, '').trim()
  return /^\d{1,15}$/.test(bare) ? Number(bare) : undefined
}

/** The list that the count endpoint counts. */
function countedBy(site: Site, session: Session): Snapshot | undefined {
  const end = site.path.lastIndexOf('/$count')
  const list = session.sites.find(
    each => each.endpoint.kind === 'collection' && end > 0 && each.path === site.path.slice(0, end),
  )
  return list === undefined ? undefined : session.snapshot(list)
}
