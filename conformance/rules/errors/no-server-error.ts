import { describeResponse, isServerError, serverErrorFeatures } from '../../rule/response.js'
import type { PassiveRule } from '../../rule/rule.js'

export const noServerError: PassiveRule = {
  kind: 'watching',
  id: 'no-server-error',
  area: 'errors',
  statement: 'No request makes the service fail: what it cannot read or do, it refuses with a status of 4xx or 501.',
  advice:
    'A 500 is an exception that nobody caught. Find it in the log of the service by the request; typical causes are functions of null, literals of another type, conflicting values and expressions that are nested too deep.',
  clauses: ['error.shape'],
  covers: ['fault.internalError', 'fault.serviceUnavailable', 'fault.tooManyRequests'],
  severity: 'must',
  inspect: answer => {
    if (answer.transportError !== undefined) return undefined
    if (!isServerError(answer)) return 'seen'
    return {
      message: `The service failed with status ${answer.status}.`,
      expected: 'an answer, or an error with a status of 4xx or 501',
      received: describeResponse(answer),
      answers: [answer],
      features: serverErrorFeatures(answer.testRequest),
    }
  },
}
