import { Agent, request } from 'node:http'

/** A response; status 0 if there is none, and then `text` has the reason. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly tag: string
}

export type Send = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>

/** Milliseconds after which a request counts as unanswered. */
const patience = 40_000

/** Creates a client of a service that keeps its connections. @param root with the path of the version */
export function createHttpClient(root: string, token: string): { readonly send: Send; readonly close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 128 })
  const send: Send = (method, path, body, headers = {}) =>
    new Promise(resolve => {
      const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
      const fail = (reason: string): void => resolve({ status: 0, text: reason, tag: '' })
      const sent = request(
        root + path,
        {
          method,
          agent,
          timeout: patience,
          headers: {
            authorization: `Bearer ${token}`,
            ...(bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': bytes.length }),
            ...headers,
          },
        },
        response => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', error => fail(error.message))
          response.on('aborted', () => fail('aborted'))
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              text: Buffer.concat(chunks).toString(),
              tag: response.headers.etag ?? '',
            }),
          )
        },
      )
      sent.on('timeout', () => sent.destroy(new Error('timeout')))
      sent.on('error', error => fail('code' in error ? String(error.code) : error.message))
      sent.end(bytes)
    })
  return { send, close: () => agent.destroy() }
}
