import { onePerEndpoint } from '../../discover/site.js'
import { describeResponse, inconclusiveVerdict, isServerError, serverErrorFeatures } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'

/** Larger bodies are not sent to a service that may be in use. */
const largest = 5_000_000

export const largeBody: ActiveRule = {
  kind: 'asking',
  id: 'large-body',
  area: 'errors',
  statement: 'A body beyond the limit is refused; the service does not fail.',
  advice: 'Bound what is read of a body before it is parsed, and answer 413.',
  clauses: ['error.shape'],
  covers: ['error.payloadTooLarge', 'fault.payloadTooLarge', 'limits'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 1,
  sites: ({ sites, service }) =>
    onePerEndpoint(sites)
      .filter(({ endpoint }) => {
        return endpoint.kind === 'call' && endpoint.method === 'POST' && endpoint.operation.meaning !== undefined
      })
      .slice(0, service.limits.body < largest ? 1 : 0),
  cases: () => ({ planned: [{ variant: 'beyond the limit' }] }),
  check: async (_test, site, session) => {
    const rawBody = `{${' '.repeat(session.service.limits.body)}}`
    const answer = await session.send({ method: 'POST', path: site.path, rawBody })
    if (answer.transportError === 'unreachable') return { kind: 'pass', vacuous: true }
    const nothing = inconclusiveVerdict(answer)
    if (nothing !== undefined) return nothing
    if (!isServerError(answer)) return { kind: 'pass' }
    return {
      kind: 'fail',
      finding: {
        message: `A body of ${rawBody.length} bytes made the service fail.`,
        expected: 'an error with a status of 4xx',
        received: describeResponse(answer),
        answers: [answer],
        features: serverErrorFeatures({ ...answer.testRequest, rawBody: '' }),
      },
    }
  },
}
