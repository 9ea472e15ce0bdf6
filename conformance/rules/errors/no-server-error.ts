import { describeResponse, isServerError, serverErrorFeatures } from '../../rule/response.js'
import type { PassiveRule } from '../../rule/rule.js'

export const noServerError: PassiveRule = {
  kind: 'passive',
  id: 'no-server-error',
  area: 'errors',
  statement:
    'No request causes a server error. The service rejects what it cannot parse or do with a 4xx status or 501.',
  advice:
    'A 500 is an unhandled exception. Look up the request in the log of the service. Typical causes are functions of null, literals of another type, conflicting values and deeply nested expressions.',
  aspects: ['error.body'],
  covers: ['fault.internalError', 'fault.serviceUnavailable', 'fault.tooManyRequests'],
  severity: 'must',
  inspect: response => {
    if (response.transportError !== undefined) return undefined
    if (!isServerError(response)) return 'seen'
    return {
      message: `The service returned status ${response.status}.`,
      expected: 'a response, or an error with a 4xx status or 501',
      received: describeResponse(response),
      answers: [response],
      features: serverErrorFeatures(response.testRequest),
    }
  },
}
