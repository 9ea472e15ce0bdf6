import { onePerEndpoint } from '../../discover/site.js'
import { errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'

export const methodNotAllowed: ActiveRule = {
  kind: 'active',
  id: 'method-not-allowed',
  area: 'errors',
  statement: 'A method that a path does not support is rejected with an error object.',
  advice:
    'Actions are called with POST. They must never run on GET, because caches and crawlers send GET freely. Return 405 with an Allow header that lists the methods of the path.',
  aspects: ['methods', 'error.body'],
  covers: ['error.methodNotAllowed', 'fault.methodNotAllowed'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 3,
  sites: ({ sites }) =>
    // Only actions that are declared as queries: they do no harm if the service executes them anyway.
    onePerEndpoint(sites).filter(({ endpoint }) => {
      if (endpoint.kind !== 'call' || endpoint.method !== 'POST') return false
      return endpoint.operation.meaning !== undefined && endpoint.path.endpoints.length === 1
    }),
  cases: () => ({ planned: [{ variant: 'GET' }] }),
  check: async (_test, site, session) => {
    const response = await session.send({ method: 'GET', path: site.path })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const finding = errorFinding(response, session.service.faults.methodNotAllowed, session)
    return finding === undefined ? { kind: 'pass' } : { kind: 'fail', finding }
  },
}
