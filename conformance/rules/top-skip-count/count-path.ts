import type { Site, Snapshot } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { conditionHeaders } from '../../rule/query-request.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'

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
    return {
      kind: 'fail',
      finding: {
        message:
          response.status === 200 && count !== undefined
            ? 'The count endpoint does not return the number of items in the list.'
            : 'The count endpoint does not return a number.',
        expected,
        received: describeResponse(response),
        answers: [response],
        features: ['countPath', ...(count === undefined ? ['type'] : [])],
      },
    }
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
