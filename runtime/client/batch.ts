import {
  type ApiPromise,
  apiPromise,
  type ClientOptions,
  type Connection,
  connect,
  type HttpRequest,
  type Result,
  send,
} from './connection.js'
import { type ServiceError, throwTypeError } from './errors.js'
import type { RequestOptions } from './query-options.js'

/**
 * Sends several calls of a client as one request. Each function makes one call. Its name is the id of the request in the
 * batch, which bodies can refer to: `'$name'` in a bind is the item that the request `name` creates. The calls are sent in
 * their order. The result of each is that of the call alone, as a value: an error of one call does not reject the batch.
 *
 * @see OData JSON Format 4.01, 19 (batch requests and responses)
 */
export type BatchOperation<Client, Code extends string> = <const Calls extends BatchCalls<Client>>(
  calls: Calls,
  options?: BatchOptions<keyof Calls & string>,
) => ApiPromise<BatchResults<Calls>, ServiceError<Code>>

type BatchCalls<Client> = Readonly<Record<string, (client: Client) => ApiPromise<unknown, unknown>>>

type BatchResults<Calls> = {
  readonly [Name in keyof Calls]: Calls[Name] extends (client: never) => ApiPromise<infer T, infer E>
    ? Result<T, E>
    : never
}

/** The order and the groups of a batch. The signal and the headers are those of the batch; those of its calls are their own. */
export interface BatchOptions<Name extends string> extends RequestOptions {
  /** The calls that must succeed before a call is made, by its name. They come before it. */
  readonly dependsOn?: { readonly [N in Name]?: readonly Name[] } | undefined
  /** Calls that succeed or fail together, by the name of the group. A group needs a name that no call has. */
  readonly atomicityGroups?: Readonly<Record<string, readonly Name[]>> | undefined
}

/** A call of the batch, and what its response is given to. */
interface BatchEntry {
  readonly url: string
  readonly request: HttpRequest
  readonly respond: (response: Response) => void
}

/** One response of a batch. @see OData JSON Format 4.01, 19.3 (batch response) */
interface BatchedResponse {
  readonly id: string
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/**
 * Creates the operation that sends several calls as one request, `{baseUrl}/$batch`. `clientOf` creates the client of the
 * calls: all resources, or only those that an app uses. Interceptors see each call, and then the batch.
 */
export function batch<Client, Code extends string>(
  options: ClientOptions,
  clientOf: (connection: Connection) => Client,
): BatchOperation<Client, Code>
export function batch(options: ClientOptions, clientOf: (connection: Connection) => unknown) {
  return (
    calls: BatchCalls<unknown>,
    { dependsOn = {}, atomicityGroups = {}, ...sent }: BatchOptions<string> = {},
  ): ApiPromise<Readonly<Record<string, Result<unknown, unknown>>>, ServiceError> =>
    apiPromise(async () => {
      const groupOf = (name: string): string | undefined =>
        Object.keys(atomicityGroups).find(group => atomicityGroups[group]?.includes(name))
      const collected = collect(options, clientOf, calls)
      const entries = await collected.entries
      const body = {
        requests: inGroups([...entries.keys()], groupOf).map(id => {
          const entry = entries.get(id)
          return {
            id,
            ...(entry && batchedRequest(entry, options.baseUrl)),
            atomicityGroup: groupOf(id),
            // A request outside a group waits for the whole group.
            dependsOn: dependsOn[id]?.map(name => (groupOf(name) === groupOf(id) ? name : (groupOf(name) ?? name))),
          }
        }),
      }
      const connection = connect(options)
      const url = `${connection.baseUrl}/$batch`
      const { headers = {}, signal } = sent
      const answer = await send<readonly BatchedResponse[], string, { readonly responses: readonly BatchedResponse[] }>(
        connection,
        { method: 'POST', url, headers, body, signal },
        json => json.responses,
      ).result()
      if (answer.ok === false) return answer
      for (const [id, { respond }] of entries) {
        const found = answer.value.find(response => response.id === id)
        respond(found ? responseOf(found) : throwTypeError('a response for each call', id))
      }
      const results = await Promise.all(collected.results.map(async ([name, result]) => [name, await result] as const))
      return { ok: true, value: Object.fromEntries(results), response: answer.response }
    })
}

/** The calls of a batch: what they send, when all have sent it, and their results. */
interface Collected {
  readonly entries: Promise<ReadonlyMap<string, BatchEntry>>
  readonly results: readonly (readonly [name: string, result: Promise<Result<unknown, unknown>>])[]
}

/** Makes the calls with a client that sends nothing. Each call is made in turn, so that one client serves all of them. */
const collect = (
  { baseUrl, interceptors, json }: ClientOptions,
  clientOf: (connection: Connection) => unknown,
  calls: BatchCalls<unknown>,
): Collected => {
  const entries = new Map<string, BatchEntry>()
  const sending: Promise<void>[] = []
  let current: string | undefined
  const client = clientOf({
    baseUrl: baseUrl.replace(/\/$/, ''),
    ...(json && { json }),
    send(call) {
      const name = current ?? throwTypeError('one call in each function of a batch', call.url)
      current = undefined
      return new Promise((resolve, reject) => {
        const entered = new Promise<void>(enter => {
          const fetch = (url: string, request: HttpRequest): Promise<Response> =>
            new Promise(respond => {
              entries.set(name, { url, request, respond })
              enter()
            })
          // An interceptor can answer a call itself, or reject it. The batch then goes without it.
          connect({ baseUrl, interceptors, json, fetch }).send(call).then(resolve, reject).then(enter)
        })
        sending.push(entered)
      })
    },
  })
  const results = Object.entries(calls).map(([name, call]) => {
    current = name
    return [name, call(client).result()] as const
  })
  // In the order of the calls, whichever interceptor took longer.
  const inOrder = (): ReadonlyMap<string, BatchEntry> =>
    new Map(
      Object.keys(calls).flatMap(name => {
        const entry = entries.get(name)
        return entry ? [[name, entry]] : []
      }),
    )
  return { entries: Promise.all(sending).then(inOrder), results }
}

/** The names with those of a group together, at its first one. */
const inGroups = (names: readonly string[], groupOf: (name: string) => string | undefined): readonly string[] => [
  ...new Set(
    names.flatMap(name => {
      const group = groupOf(name)
      return group === undefined ? [name] : names.filter(other => groupOf(other) === group)
    }),
  ),
]

/** @see OData JSON Format 4.01, 19.1 (batch request): a URL is relative to that of the service */
const batchedRequest = ({ url, request }: BatchEntry, baseUrl: string): object => {
  const headers: Record<string, string> = {}
  // Headers are iterable only for a compiler that knows `lib: ["DOM.Iterable"]`.
  request.headers.forEach((value, name) => {
    headers[name] = value
  })
  return {
    method: request.method,
    url: url.slice(baseUrl.replace(/\/$/, '').length + 1),
    headers,
    body:
      request.body === null
        ? undefined
        : typeof request.body === 'string' && /json/.test(request.headers.get('content-type') ?? '')
          ? JSON.parse(request.body)
          : throwTypeError('JSON in each call of a batch, and no stream', url),
  }
}

/** The response that a call alone would get. A body that is not JSON comes as a string. */
const responseOf = ({ status, headers = {}, body }: BatchedResponse): Response => {
  const all = new Headers(headers)
  const isText = typeof body === 'string' && !/json/.test(all.get('content-type') ?? 'json')
  const content = body === undefined || body === null ? null : isText ? body : JSON.stringify(body)
  // These have no body, and no `Response` can be made with one.
  return new Response(/^(204|205|304)$/.test(`${status}`) ? null : content, { status, headers: all })
}
