import { onePerEndpoint } from '../../discover/site.js'
import { errorFinding, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { deltaRound } from './delta-round.js'

export const deltaToken: ActiveRule = {
  kind: 'active',
  id: 'delta-token',
  area: 'delta',
  statement: 'A delta token that the service did not issue is rejected, or returns every item again.',
  advice:
    'Do not answer an unknown token with some changes or none: the client would miss the others. Return 410 for an expired token and 400 for an invalid one, so that the client starts again.',
  aspects: ['delta.changes'],
  covers: ['endpoint.delta', 'error.expiredToken', 'fault.expiredToken'],
  severity: 'must',
  writes: false,
  cost: 2,
  weight: 3,
  sites: ({ sites }) => onePerEndpoint(sites).filter(({ endpoint }) => endpoint.kind === 'delta'),
  cases: () => ({ planned: [{ variant: 'garbage' }] }),
  check: async (_test, site, session) => {
    const round = await deltaRound({ method: 'GET', path: site.path }, session)
    const [first] = round.pages
    const inconclusive = first === undefined ? undefined : inconclusiveVerdict(first)
    if (inconclusive !== undefined) return inconclusive
    if (first !== undefined && isRejection(first, session)) return { kind: 'unsupported', constructs: [] }
    if (round.unread !== undefined) return { kind: 'inconclusive', why: round.unread }
    const path = round.deltaLink === undefined ? undefined : withGarbage(round.deltaLink)
    if (path === undefined) return { kind: 'inconclusive', why: 'the delta link has no recognizable token' }
    const response = await session.send({ method: 'GET', path })
    const unsaid = inconclusiveVerdict(response)
    if (unsaid !== undefined) return unsaid
    const { expiredToken, malformedQueryOption, invalidParameter, unsupportedQueryOption } = session.service.faults
    const errors = [expiredToken, malformedQueryOption, invalidParameter, unsupportedQueryOption] as const
    const finding = errorFinding(response, errors, session)
    if (finding === undefined) return { kind: 'pass' }
    if (response.status !== 200) return { kind: 'fail', finding }
    // The interface does not describe tokens. A round that starts again misses nothing.
    const again = await deltaRound({ method: 'GET', path }, session)
    if (again.unread !== undefined) return { kind: 'inconclusive', why: again.unread }
    return again.rows.length >= round.rows.length && round.rows.length > 0
      ? { kind: 'pass' }
      : { kind: 'fail', finding }
  },
}

/** The link with an invalid delta token. Undefined if no parameter looks like a delta token. */
function withGarbage(link: string): string | undefined {
  const url = new URL(link)
  const name = [...url.searchParams.keys()].find(each => /delta.?token/i.test(each))
  if (name === undefined) return undefined
  url.searchParams.set(name, 'specwright-no-such-token')
  return url.href
}
