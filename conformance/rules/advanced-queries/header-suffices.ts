import { onePerEndpoint } from '../../discover/site.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { conditionOf, mentionsCondition, triggersOf } from './triggers.js'

export const headerSuffices: ActiveRule = {
  kind: 'active',
  id: 'header-suffices',
  area: 'advanced-queries',
  statement: 'A query with its required header is not rejected for a missing header.',
  advice:
    'Header names are case-insensitive. Look for a header that is read from the wrong place, for example inside a batch, or lost in a gateway.',
  aspects: ['advanced.header'],
  covers: ['requires'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 3,
  sites: session => onePerEndpoint(session.sites).filter(site => triggersOf(site, session).length > 0),
  cases: (site, session) => ({
    planned: triggersOf(site, session).map(({ test }) => test),
  }),
  check: async ({ name = '', text: rawQuery = '' }, site, session) => {
    const condition = conditionOf(site, name)
    if (condition === undefined) return { kind: 'inconclusive', why: 'the spec does not declare this condition' }
    const { header, otherwise } = condition
    const headers = { [header.name]: header.value }
    const response = await session.send({ method: 'GET', path: site.path, rawQuery, headers })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    if (!isRejection(response, session)) {
      return response.status < 300 ? { kind: 'pass' } : { kind: 'inconclusive', why: describeResponse(response) }
    }
    if (!mentionsCondition(response, condition)) return { kind: 'unsupported', constructs: name.split('+') }
    const without = await session.send({ method: 'GET', path: site.path, rawQuery })
    if (without.status !== response.status || !mentionsCondition(without, condition)) {
      return { kind: 'unsupported', constructs: name.split('+') }
    }
    return {
      kind: 'fail',
      finding: {
        message: `A query with ${name} was rejected for a missing ${header.name}, although the header was sent.`,
        expected: 'the rows, or an error that names what is not supported',
        received: describeResponse(response),
        answers: [response, without],
        features: [`error.${otherwise.name}`, 'header sent'],
      },
    }
  },
}
