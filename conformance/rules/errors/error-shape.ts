import type { Service } from '../../../spec/language/index.js'
import type { TestResponse } from '../../http/message.js'
import { describeResponse, errorShapeProblem } from '../../rule/response.js'
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
