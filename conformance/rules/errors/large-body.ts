import { onePerEndpoint } from '../../discover/site.js'
import { describeResponse, inconclusiveVerdict, isServerError, serverErrorFeatures } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'

/** The service may be in use, so larger bodies are not sent. */
const largest = 5_000_000

export const largeBody: ActiveRule = {
  kind: 'active',
  id: 'large-body',
  area: 'errors',
  statement: 'A body that exceeds the limit is rejected; it does not cause a server error.',
  advice: 'Limit how much of a body you read before you parse it, and return 413.',
  aspects: ['error.body'],
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
    const response = await session.send({ method: 'POST', path: site.path, rawBody })
    if (response.transportError === 'unreachable') return { kind: 'pass', vacuous: true }
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    if (!isServerError(response)) return { kind: 'pass' }
    return {
      kind: 'fail',
      finding: {
        message: `A body of ${rawBody.length} bytes caused a server error.`,
        expected: 'an error with a 4xx status',
        received: describeResponse(response),
        answers: [response],
        features: serverErrorFeatures({ ...response.testRequest, rawBody: '' }),
      },
    }
  },
}
