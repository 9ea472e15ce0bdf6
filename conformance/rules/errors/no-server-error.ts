import { describeAnswer } from '../../rule/describe-answer.js'
import type { Watch } from '../../rule/rule.js'
import { isServerError, serverErrorFeatures } from '../../rule/server-error.js'

export const noServerError: Watch = {
  kind: 'watching',
  id: 'no-server-error',
  area: 'errors',
  statement: 'No request makes the service fail: what it cannot read or do, it refuses with a status of 4xx or 501.',
  advice:
    'A 500 is an exception that nobody caught. Find it in the log of the service by the request; typical causes are functions of null, literals of another type, conflicting values and expressions that are nested too deep.',
  clauses: ['error.shape'],
  covers: ['fault.internalError', 'fault.serviceUnavailable', 'fault.tooManyRequests'],
  severity: 'must',
  watch: answer => {
    if (answer.trouble !== undefined) return undefined
    if (!isServerError(answer)) return 'seen'
    return {
      message: `The service failed with status ${answer.status}.`,
      expected: 'an answer, or an error with a status of 4xx or 501',
      received: describeAnswer(answer),
      answers: [answer],
      features: serverErrorFeatures(answer.ask),
    }
  },
}
