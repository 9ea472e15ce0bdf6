import type { Json } from '../../../conformance/json.js'
import { isObject } from '../service/representation.js'
import { changeBody, type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('protocol')

/** Faults of HTTP and of JSON. */
export const protocolMutants: readonly Mutant[] = [
  mutant('json-as-html', 'Answers say that they are HTML.', () => ({
    reply: reply =>
      reply.json === undefined ? reply : { ...reply, headers: { ...reply.headers, 'Content-Type': 'text/html' } },
  })),
  mutant('json-cut', 'Long answers are cut off.', () => ({
    reply: reply => {
      const text = reply.json === undefined ? '' : JSON.stringify(reply.json)
      return text.length > 4000 ? { ...reply, text: text.slice(0, 4000) } : reply
    },
  })),
  mutant('error-after-json', 'An error follows the body of lists.', () => ({
    reply: (reply, at) =>
      at.endpoint?.kind === 'collection' && reply.status === 200
        ? { ...reply, text: `${JSON.stringify(reply.json)}{"error":{"code":"late","message":"late"}}` }
        : reply,
  })),
  mutant('names-in-capitals', 'Names of properties begin with a capital.', () => changeBody(body => capitals(body))),
  mutant('other-method-accepted', 'A method that a path does not have is answered with 200.', correct => ({
    error: (error, message, at) =>
      error === at.service.faults.methodNotAllowed
        ? { status: 200, headers: {}, json: { value: [] } }
        : correct.error(error, message, at),
  })),
  mutant('unknown-path-accepted', 'An unknown path is answered with an empty list.', correct => ({
    error: (error, message, at) =>
      error === at.service.faults.pathNotFound
        ? { status: 200, headers: {}, json: { value: [] } }
        : correct.error(error, message, at),
  })),
  mutant('unknown-path-crashes', 'An unknown path ends in an internal error.', correct => ({
    error: (error, message, at) =>
      correct.error(error === at.service.faults.pathNotFound ? at.service.faults.internalError : error, message, at),
  })),
  mutant('other-method-crashes', 'A method that a path does not have ends in an internal error.', correct => ({
    error: (error, message, at) =>
      correct.error(
        error === at.service.faults.methodNotAllowed ? at.service.faults.internalError : error,
        message,
        at,
      ),
  })),
  mutant('head-has-another-status', 'HEAD is answered with 404 where GET is answered with 200.', () => ({
    reply: (reply, at) => (at.request.method === 'HEAD' ? { ...reply, status: 404 } : reply),
  })),
  mutant('empty-answer', 'Single items are answered with 200 and no body.', () => ({
    reply: (reply, at) =>
      at.endpoint?.kind === 'item' && reply.status === 200 ? { status: 200, headers: reply.headers } : reply,
  })),
]

function capitals(json: Json): Json {
  if (Array.isArray(json)) return json.map((each: Json) => capitals(each))
  if (!isObject(json)) return json
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      const isKept = name.includes('@') || name === 'value' || name === 'error'
      return [
        isKept ? name : name.slice(0, 1).toUpperCase() + name.slice(1),
        isKept && name === 'error' ? value : capitals(value),
      ]
    }),
  )
}
