import { onePerEndpoint } from '../../discover/site.js'
import { errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'

const bodies: Readonly<Record<string, { readonly text: string; readonly type: string }>> = {
  malformed: { text: '{"a":', type: 'application/json' },
  'no object': { text: '[1]', type: 'application/json' },
  'another media type': { text: 'hello', type: 'text/plain' },
}

export const malformedBody: ActiveRule = {
  kind: 'active',
  id: 'malformed-body',
  area: 'errors',
  statement: 'A body that is not a JSON object is rejected with an error object.',
  advice:
    'Errors of the JSON parser often surface as a 500, or as an empty object that is taken for parameters. Return 400 for a malformed body and 415 for another media type.',
  aspects: ['error.body'],
  covers: [
    'error.malformedBody',
    'fault.malformedBody',
    'error.unsupportedMediaType',
    'fault.unsupportedMediaType',
    'error.invalidBody',
    'fault.invalidBody',
  ],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 4,
  // Only actions that are declared as queries: they change nothing, whatever the service makes of the body.
  sites: ({ sites }) =>
    onePerEndpoint(sites).filter(({ endpoint }) => {
      if (endpoint.kind !== 'call' || endpoint.method !== 'POST' || endpoint.operation.meaning === undefined)
        return false
      return endpoint.operation.parameters.some(({ optional }) => !optional)
    }),
  cases: () => ({ planned: Object.keys(bodies).map(variant => ({ variant })) }),
  check: async ({ variant = '' }, site, session) => {
    const body = Object.hasOwn(bodies, variant) ? bodies[variant] : undefined
    if (body === undefined) return { kind: 'inconclusive', why: `there is no body called "${variant}"` }
    const headers = { 'content-type': body.type }
    const response = await session.send({ method: 'POST', path: site.path, rawBody: body.text, headers })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const faults = session.service.faults
    const finding = errorFinding(
      response,
      [faults.malformedBody, faults.unsupportedMediaType, faults.invalidBody, faults.invalidParameter],
      session,
    )
    return finding === undefined ? { kind: 'pass' } : { kind: 'fail', finding }
  },
}
