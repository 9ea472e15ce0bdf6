import { describeResponse, errorBodyOf } from '../../rule/response.js'
import type { PassiveRule } from '../../rule/rule.js'

export const errorStatus: PassiveRule = {
  kind: 'passive',
  id: 'error-status',
  area: 'errors',
  statement: 'The HTTP status shows whether a response is an error: an error object never comes with a success status.',
  advice:
    'Clients decide by the status. Look for handlers that write an error body without setting the status, and for errors that occur after the response headers were sent.',
  aspects: ['error.body'],
  covers: ['errorBody'],
  severity: 'must',
  inspect: (response, site) => {
    if (response.transportError !== undefined || response.json === undefined) return undefined
    if (response.status >= 400) return 'seen'
    const mayShowOne = site?.type?.properties.some(({ name }) => name === 'error') === true
    // An item can have a property of that name, also where the type of the response is not known.
    if (mayShowOne || hasContext(response.json) || errorBodyOf(response) === undefined) return 'seen'
    return {
      message: `A response with status ${response.status} has an error object.`,
      expected: 'a 4xx or 5xx status',
      received: describeResponse(response),
      answers: [response],
      features: ['error.status'],
    }
  },
}

/** Only data have a context URL. */
const hasContext = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && ('@odata.context' in json || '@context' in json)
