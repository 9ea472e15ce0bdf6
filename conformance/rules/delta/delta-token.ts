import { onePerEndpoint } from '../../discover/site.js'
import { errorFinding, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { deltaRound } from './delta-round.js'

export const deltaToken: ActiveRule = {
  kind: 'asking',
  id: 'delta-token',
  area: 'delta',
  statement: 'A token of change tracking that the service did not give out is refused.',
  advice:
    'A client whose token is passed over takes the answer for changes. Answer 410 to tokens that are too old and 400 to what is none, so that the client starts again.',
  clauses: ['delta'],
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
    const nothing = first === undefined ? undefined : inconclusiveVerdict(first)
    if (nothing !== undefined) return nothing
    if (first !== undefined && isRejection(first, session)) return { kind: 'unsupported', constructs: [] }
    if (round.unread !== undefined) return { kind: 'inconclusive', why: round.unread }
    const path = round.deltaLink === undefined ? undefined : withGarbage(round.deltaLink)
    if (path === undefined) return { kind: 'inconclusive', why: 'no token is seen in the delta link' }
    const answer = await session.send({ method: 'GET', path })
    const unsaid = inconclusiveVerdict(answer)
    if (unsaid !== undefined) return unsaid
    const { expiredToken, malformedQueryOption, invalidParameter, unsupportedQueryOption } = session.service.faults
    const errors = [expiredToken, malformedQueryOption, invalidParameter, unsupportedQueryOption] as const
    const finding = errorFinding(answer, errors, session)
    return finding === undefined ? { kind: 'pass' } : { kind: 'fail', finding }
  },
}

/** The link with another text in place of its token; absent when none of its parameters is named after one. */
function withGarbage(link: string): string | undefined {
  const url = new URL(link)
  const name = [...url.searchParams.keys()].find(each => /delta.?token/i.test(each))
  if (name === undefined) return undefined
  url.searchParams.set(name, 'specwright-no-such-token')
  return url.href
}
