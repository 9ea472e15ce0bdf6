import { type ApiPromise, apiPromise } from './api-promise.js'
import type { Call } from './call.js'
import type { Connection } from './connection.js'
import { ServiceError } from './service-error.js'

/**
 * Sends a call. The value is what `read` makes of the JSON of the answer; without `read` the JSON itself, and undefined
 * where there is none: 204, 304, null.
 */
export const send = <T, Code extends string, Json = unknown>(
  connection: Connection,
  call: Call,
  read?: (json: Json) => T,
): ApiPromise<T, ServiceError<Code>> =>
  apiPromise(async () => {
    const response = await connection.send(call)
    const text = await response.text()
    // What the service sends is taken at the word of its spec: from here JSON has the type that the operation gives it.
    let json: ReturnType<typeof JSON.parse>
    try {
      json = JSON.parse(text)
    } catch {
      // Empty, or the answer of a proxy between.
    }
    if (response.status < 400 && (json !== undefined || !text)) {
      return { ok: true, value: read ? read(json) : (json ?? undefined), response }
    }
    return { ok: false, error: new ServiceError(response, json?.error, text), response }
  })
