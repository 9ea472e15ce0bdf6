import { readBody } from './read-body.js'
import type { Sender } from './sender.js'

/** Sends requests to a function that answers them in the same process. */
export function fetchSender(fetch: (request: Request) => Promise<Response>): Sender {
  return ({ method, url, headers, body }, bodyLimit) => {
    const controller = new AbortController()
    const { signal } = controller
    const send = async (): ReturnType<Sender>['answer'] => {
      const request = new Request(url, {
        method,
        headers,
        redirect: 'manual',
        signal,
        ...(body !== undefined && { body }),
      })
      const response = await fetch(request)
      const text = await readBody(response, bodyLimit)
      return { status: response.status, headers: Object.fromEntries(response.headers), text }
    }
    return { answer: send(), cancel: () => controller.abort() }
  }
}
