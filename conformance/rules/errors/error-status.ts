import { describeResponse, errorBodyOf } from '../../rule/response.js'
import type { PassiveRule } from '../../rule/rule.js'

export const errorStatus: PassiveRule = {
  kind: 'watching',
  id: 'error-status',
  area: 'errors',
  statement:
    'The HTTP status says whether an answer is an error: an error object never comes with a status of success.',
  advice:
    'Clients decide by the status. Look for handlers that write an error body and forget the status, and for errors that occur after the head of an answer was sent.',
  clauses: ['error.shape'],
  covers: ['errorBody'],
  severity: 'must',
  inspect: (answer, site) => {
    if (answer.transportError !== undefined || answer.json === undefined) return undefined
    if (answer.status >= 400) return 'seen'
    const mayShowOne = site?.type?.properties.some(({ name }) => name === 'error') === true
    if (mayShowOne || errorBodyOf(answer) === undefined) return 'seen'
    return {
      message: `An error object came with status ${answer.status}.`,
      expected: 'a status of 4xx or 5xx',
      received: describeResponse(answer),
      answers: [answer],
      features: ['error.status'],
    }
  },
}
