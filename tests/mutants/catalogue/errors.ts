import type { Reply } from '../service/behaviour.js'
import { isObject, type Json } from '../service/json.js'
import { ServiceCrash } from '../service/service.js'
import { type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('errors')

/** Changes the format of errors, except errors for credentials. */
function shaped(
  name: string,
  statement: string,
  shape: (error: { readonly [name: string]: Json }, reply: Reply) => Reply,
): Mutant {
  return mutant(name, statement, correct => ({
    error: (error, message, at) => {
      const reply = correct.error(error, message, at)
      const inner = isObject(reply.json) ? reply.json['error'] : undefined
      return isObject(inner) && error !== at.service.authentication.missing ? shape(inner, reply) : reply
    },
  }))
}

/** Faults of error responses. */
export const errorsMutants: readonly Mutant[] = [
  shaped('error-is-text', '`error` is a string instead of an object.', ({ message = '' }, reply) => ({
    ...reply,
    json: { error: message },
  })),
  shaped('error-as-html', 'Errors are HTML pages.', ({ message = '' }, reply) => ({
    ...reply,
    headers: { ...reply.headers, 'Content-Type': 'text/html' },
    text: `<h1>${message}</h1>`,
  })),
  shaped('error-without-code', 'Errors have no code.', ({ message = '' }, reply) => ({
    ...reply,
    json: { error: { message } },
  })),
  shaped('error-without-message', 'Errors have no message.', ({ code = '' }, reply) => ({
    ...reply,
    json: { error: { code } },
  })),
  shaped('error-code-is-number', 'The code of an error is a number.', (error, reply) => ({
    ...reply,
    json: { error: { ...error, code: reply.status } },
  })),
  shaped('error-message-is-object', 'The message of an error is an object.', ({ code = '', message = '' }, reply) => ({
    ...reply,
    json: { error: { code, message: { lang: 'en', value: message } } },
  })),
  shaped('error-is-empty', 'Errors have no body.', (_error, { status, headers }) => ({ status, headers })),
  shaped('error-unwrapped', 'Errors have no `error` member.', (error, reply) => ({ ...reply, json: error })),
  shaped('error-is-cut', 'The body of an error is truncated.', (_error, reply) => ({
    ...reply,
    text: JSON.stringify(reply.json).slice(0, -2),
  })),
  shaped('error-with-200', 'Errors have status 200.', (_error, reply) => ({ ...reply, status: 200 })),
  mutant('update-not-routed', 'PATCH of the signed-in user gets 405.', correct => ({
    reply: (reply, at) =>
      at.endpoint?.kind === 'update' && at.endpoint.keys.length === 0
        ? correct.error(at.service.faults.methodNotAllowed, 'Not here.', at)
        : correct.reply(reply, at),
  })),
  mutant('allow-lists-nothing-known', 'The Allow header of a 405 response lists TRACE only.', () => ({
    reply: reply => (reply.status === 405 ? { ...reply, headers: { ...reply.headers, Allow: 'TRACE' } } : reply),
  })),
  mutant('missing-item-with-400', 'An item that does not exist is answered with 400.', correct => ({
    error: (error, message, at) => {
      const reply = correct.error(error, message, at)
      return error === at.service.faults.itemNotFound ? { ...reply, status: 400 } : reply
    },
  })),
  mutant('missing-item-crashes', 'An item that does not exist causes an internal error.', correct => ({
    error: (error, message, at) =>
      correct.error(error === at.service.faults.itemNotFound ? at.service.faults.internalError : error, message, at),
  })),
  mutant('missing-item-is-empty', 'An item that does not exist is answered with 204.', correct => ({
    error: (error, message, at) =>
      error === at.service.faults.itemNotFound ? { status: 204, headers: {} } : correct.error(error, message, at),
  })),
  mutant('missing-item-is-null', 'An item that does not exist is answered with null.', correct => ({
    error: (error, message, at) =>
      error === at.service.faults.itemNotFound && at.endpoint?.kind === 'item'
        ? { status: 200, headers: {}, json: null }
        : correct.error(error, message, at),
  })),
  mutant('missing-item-with-401', 'An item that does not exist is answered with 401.', correct => ({
    error: (error, message, at) => {
      const reply = correct.error(error, message, at)
      return error === at.service.faults.itemNotFound ? { ...reply, status: 401 } : reply
    },
  })),
  mutant('missing-item-with-403', 'An item that does not exist is answered with 403.', correct => ({
    error: (error, message, at) => {
      const reply = correct.error(error, message, at)
      return error === at.service.faults.itemNotFound && at.endpoint?.kind === 'item'
        ? { ...reply, status: 403 }
        : reply
    },
  })),
  mutant('malformed-query-ignored', 'A malformed query is ignored.', () => ({
    rejectMalformed: () => undefined,
  })),
  mutant(
    'error-with-bare-quotes',
    'The error of a malformed query repeats it without escaping its quotes.',
    correct => ({
      error: (error, message, at) => {
        const reply = correct.error(error, message, at)
        if (error !== at.service.faults.malformedQueryOption) return reply
        return {
          ...reply,
          text: `{"error":{"code":"${error.code}","message":"${decodeURIComponent(at.request.query)}"}}`,
        }
      },
    }),
  ),
  mutant('malformed-query-crashes', 'A malformed query causes an internal error.', () => ({
    rejectMalformed: (_message, at) => ({ kind: 'refused', error: at.service.faults.internalError }),
  })),
  mutant('deep-query-crashes', 'A filter that nests hundreds of parentheses overflows the stack.', correct => ({
    readQuery: (text, at) => {
      if ((text.match(/\(/g)?.length ?? 0) > 200) throw new ServiceCrash()
      return correct.readQuery(text, at)
    },
  })),
  mutant('unsupported-query-ignored', 'Unsupported query options are ignored.', () => ({
    rejectUnsupported: () => undefined,
  })),
  mutant('unsupported-query-crashes', 'Unsupported query options cause an internal error.', () => ({
    rejectUnsupported: (_message, at) => ({ kind: 'refused', error: at.service.faults.internalError }),
  })),
  mutant('malformed-query-is-empty', 'A malformed query gets an empty list.', () => ({
    rejectMalformed: () => ({ kind: 'reply', reply: { status: 200, headers: {}, json: { value: [] } } }),
  })),
]
