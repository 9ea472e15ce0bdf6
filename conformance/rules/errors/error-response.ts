import type { Service } from '../../../spec/language/index.js'
import type { TestResponse } from '../../http/message.js'
import {
  describeResponse,
  errorBodyOf,
  errorShapeProblem,
  isServerError,
  serverErrorFeatures,
} from '../../rule/response.js'
import type { PassiveRule } from '../../rule/rule.js'

/** Statuses that proxies and gateways return, which do not know the interface. */
const inFront: ReadonlySet<number> = new Set([408, 413, 414, 421, 425, 429, 431, 502, 503, 504])

export const errorShape: PassiveRule = {
  kind: 'passive',
  id: 'error-shape',
  area: 'errors',
  statement: 'Every error response has a JSON body with the declared error object.',
  advice:
    'Clients read `error.code` and `error.message` from every response with status 400 or higher. Write all error bodies in one function. Include unknown paths and errors that the framework raises: its default pages are HTML or plain text.',
  aspects: ['error.body'],
  covers: ['errorBody', 'fault.internalError', 'fault.notImplemented'],
  severity: 'must',
  inspect: (response, _site, { service }) => {
    if (response.transportError !== undefined || response.status < 400 || inFront.has(response.status)) return undefined
    // The interface does not describe OPTIONS. Web servers answer it before the service does.
    const { method } = response.testRequest
    if (method === 'HEAD' || method === 'OPTIONS' || !isBelowRoot(response, service)) return undefined
    const problem = errorShapeProblem(response, service)
    if (problem === undefined) return 'seen'
    const members = service.errorBody.required.map(name => `\`${name}\``).join(' and ')
    return {
      message: `A response with status ${response.status} has ${problem}.`,
      expected: `a JSON object \`error\` with ${members}, both non-empty strings`,
      received: describeResponse(response),
      answers: [response],
      features: ['error.shape'],
    }
  },
}

/** Paths outside the service root, such as another version, do not belong to the service. */
function isBelowRoot({ request }: TestResponse, { version }: Service): boolean {
  return `${new URL(request.url).pathname}/`.includes(`/${encodeURIComponent(version)}/`)
}

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
