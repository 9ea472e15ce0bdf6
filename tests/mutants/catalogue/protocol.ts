import { isObject, type Json } from '../service/json.js'
import { changeBody, type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('protocol')

/** Faults of HTTP and JSON. */
export const protocolMutants: readonly Mutant[] = [
  mutant('json-as-html', 'Responses have the content type of HTML.', () => ({
    reply: reply =>
      reply.json === undefined ? reply : { ...reply, headers: { ...reply.headers, 'Content-Type': 'text/html' } },
  })),
  mutant('json-with-byte-order-mark', 'JSON bodies begin with U+FEFF.', () => ({
    reply: reply =>
      reply.json === undefined ? reply : { ...reply, text: `\uFEFF${reply.text ?? JSON.stringify(reply.json)}` },
  })),
  mutant('json-cut', 'Long responses are truncated.', () => ({
    reply: reply => {
      const text = reply.json === undefined ? '' : JSON.stringify(reply.json)
      return text.length > 4000 ? { ...reply, text: text.slice(0, 4000) } : reply
    },
  })),
  mutant('no-content-with-length', 'A response with status 204 announces a body.', () => ({
    reply: reply => (reply.status === 204 ? { ...reply, headers: { ...reply.headers, 'Content-Length': '2' } } : reply),
  })),
  mutant('error-after-json', 'An error follows the body of lists.', () => ({
    reply: (reply, at) =>
      at.endpoint?.kind === 'collection' && reply.status === 200
        ? { ...reply, text: `${JSON.stringify(reply.json)}{"error":{"code":"late","message":"late"}}` }
        : reply,
  })),
  mutant('names-in-capitals', 'Property names start with a capital letter.', () => changeBody(body => capitals(body))),
  mutant('other-method-accepted', 'An unsupported method gets status 200.', correct => ({
    error: (error, message, at) =>
      error === at.service.faults.methodNotAllowed
        ? { status: 200, headers: {}, json: { value: [] } }
        : correct.error(error, message, at),
  })),
  mutant('unknown-path-accepted', 'An unknown path returns an empty list.', correct => ({
    error: (error, message, at) =>
      error === at.service.faults.pathNotFound
        ? { status: 200, headers: {}, json: { value: [] } }
        : correct.error(error, message, at),
  })),
  mutant('unknown-path-crashes', 'An unknown path causes an internal error.', correct => ({
    error: (error, message, at) =>
      correct.error(error === at.service.faults.pathNotFound ? at.service.faults.internalError : error, message, at),
  })),
  mutant('other-method-crashes', 'An unsupported method causes an internal error.', correct => ({
    error: (error, message, at) =>
      correct.error(
        error === at.service.faults.methodNotAllowed ? at.service.faults.internalError : error,
        message,
        at,
      ),
  })),
  mutant('head-length-zero', 'HEAD has Content-Length: 0.', () => ({
    reply: (reply, at) => {
      if (reply.json === undefined || reply.status !== 200) return reply
      const length = at.request.method === 'HEAD' ? 0 : Buffer.byteLength(JSON.stringify(reply.json))
      return { ...reply, headers: { ...reply.headers, 'Content-Length': String(length) } }
    },
  })),
  mutant('head-has-another-status', 'HEAD returns 404 where GET returns 200.', () => ({
    reply: (reply, at) => (at.request.method === 'HEAD' ? { ...reply, status: 404 } : reply),
  })),
  mutant('head-of-unknown-item-succeeds', 'HEAD returns 200 where GET returns 404.', () => ({
    reply: (reply, at) => (at.request.method === 'HEAD' && reply.status === 404 ? { ...reply, status: 200 } : reply),
  })),
  mutant('charset-rejected', 'A body whose media type has a parameter is rejected.', correct => ({
    header: (name, at) => {
      const value = correct.header(name, at)
      return name === 'Content-Type' && value?.includes(';') === true ? null : value
    },
  })),
  mutant('chunked-body-is-lost', 'A create whose body comes in chunks stores an empty item.', correct => ({
    create: (values, at) => {
      const isChunked = at.request.headers.get('transfer-encoding') === 'chunked'
      return correct.create(isChunked ? {} : values, at)
    },
  })),
  mutant('empty-answer', 'Single items are returned with status 200 and no body.', () => ({
    reply: (reply, at) =>
      at.endpoint?.kind === 'item' && reply.status === 200 ? { status: 200, headers: reply.headers } : reply,
  })),
  mutant('query-of-another-request', 'Requests at the same time get the query of each other.', correct => {
    let last = ''
    return {
      readQuery: (text, at) => {
        const before = last
        last = correct.readQuery(text, at)
        return at.isOvertaken() ? before : last
      },
    }
  }),
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
