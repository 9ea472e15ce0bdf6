import { type ApiPromise, apiPromise, type Result } from './api-promise.js'
import type { CallOptions } from './call-options.js'
import type { Connection, HeaderList } from './connection.js'
import { ServiceError } from './service-error.js'

/** A call that is sent: method, URL and what else it carries. */
export interface Call {
  readonly method: string
  readonly url: string
  readonly options: CallOptions
  readonly headers?: HeaderList
  readonly body?: unknown
}

/**
 * Sends a call. The value is what `read` makes of the JSON of the answer; without `read` the JSON itself, and undefined
 * where there is none: 204, 304, null.
 */
export const send = <T, Code extends string, Json = unknown>(
  connection: Connection,
  call: Call,
  read?: (json: Json) => T,
): ApiPromise<T, ServiceError<Code>> => apiPromise(settle(connection, call, read))

const settle = async <T, Code extends string, Json>(
  connection: Connection,
  { method, url, options, headers = [], body }: Call,
  read?: (json: Json) => T,
): Promise<Result<T, ServiceError<Code>>> => {
  const response = await connection.send(method, url, options, headers, body)
  const text = await response.text()
  const json = parse(text)
  if ((response.ok || response.status === 304) && (json !== undefined || !text)) {
    // What the service sends is taken at the word of its spec: this is where JSON gets its type.
    return { ok: true, value: read ? read(json) : (json ?? undefined), response }
  }
  return { ok: false, error: new ServiceError(response, json?.error, text), response }
}

/** Undefined for text that is no JSON, such as that of a proxy between. */
const parse = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
