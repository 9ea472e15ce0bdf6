import type { RequestHead } from '../request-head.js'
import type { NodeRequest, NodeResponse } from './node-types.js'

/**
 * The head of a request of `node:http`. The signal, which is seldom asked for, is made only then: by the getter of a class,
 * because one in an object literal gives each request a hidden class of its own, which costs more than all the rest.
 */
export class NodeRequestHead implements RequestHead {
  readonly method: string
  readonly headers: RequestHead['headers']
  readonly url: string
  private readonly response: NodeResponse
  private aborted: AbortSignal | undefined

  constructor(request: NodeRequest, response: NodeResponse, url: string) {
    this.method = request.method ?? 'GET'
    this.headers = { get: name => headerOf(request, name) }
    this.url = url
    this.response = response
    this.aborted = undefined
  }

  get signal(): AbortSignal {
    this.aborted ??= abortedOnClose(this.response)
    return this.aborted
  }
}

/** Names come in lower case from `node:http`. */
export function headerOf({ headers }: NodeRequest, name: string): string | null {
  const key = name.toLowerCase()
  const value = Object.hasOwn(headers, key) ? headers[key] : undefined
  return value === undefined ? null : typeof value === 'string' ? value : value.join(', ')
}

function abortedOnClose(response: NodeResponse): AbortSignal {
  const controller = new AbortController()
  if (response.destroyed && !response.writableFinished) controller.abort()
  response.on('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}
