import type { Connection } from './connection.js'
import type { ServiceError } from './errors.js'
import type { PathTemplate } from './path.js'
import type { ChangeOptions, Options, RequestOptions } from './query-options.js'
import { type ApiPromise, apiPromise, prepareRequest, send } from './request.js'

/** The bytes to send as a stream. A string is sent in UTF-8. */
export type StreamSource = Blob | ArrayBuffer | Uint8Array | string

/** Options of a call that sends a stream. */
interface SendStream {
  /** The media type. Default: that of a `Blob`, else `application/octet-stream`. */
  readonly contentType?: string | undefined
}

/** Options of a call that reads a stream. */
interface ReadStream extends RequestOptions {
  /** The entity tag of a stream that you have read. The result is undefined (304) if the stream has not changed. */
  readonly ifNoneMatch?: string | undefined
}

/**
 * Reads a stream. The result is the response, so that you choose how to read it: `blob()`, `arrayBuffer()`, `text()` or `body`.
 * Undefined: there is no stream (204), or it has not changed (304).
 */
export type ReadStreamOperation<Keys extends readonly unknown[], Code extends string> = (
  ...args: [...keys: Keys, options?: ReadStream]
) => ApiPromise<Response | undefined, ServiceError<Code>>

/** Stores a stream, or creates an item from one. */
export type WriteStreamOperation<
  Keys extends readonly unknown[],
  Value,
  Code extends string,
  O extends RequestOptions = ChangeOptions,
> = (
  ...args: [...keys: Keys, content: StreamSource, ...options: Options<O & SendStream>]
) => ApiPromise<Value, ServiceError<Code>>

/** Creates the operation that reads the stream at a path. */
export const readStream =
  <Keys extends readonly unknown[], Code extends string>(
    connection: Connection,
    path: PathTemplate,
  ): ReadStreamOperation<Keys, Code> =>
  (...args: readonly unknown[]) =>
    apiPromise<Response | undefined, ServiceError<Code>>(async () => {
      const call = prepareRequest(connection, 'GET', path, args)
      const response = await connection.send({ ...call, headers: { accept: '*/*', ...call.headers } })
      // `send` reads the error.
      if (response.status >= 400)
        return send<undefined, Code>({ ...connection, send: async () => response }, call).result()
      return { ok: true, value: response.status === 204 || response.status === 304 ? undefined : response, response }
    })

/** Creates the operation that sends a stream to a path. */
export const writeStream =
  <Keys extends readonly unknown[], Value, Code extends string, O extends RequestOptions>(
    connection: Connection,
    path: PathTemplate,
    method: 'POST' | 'PUT',
  ): WriteStreamOperation<Keys, Value, Code, O> =>
  (...args: readonly unknown[]) => {
    const { contentType, ...options }: SendStream & RequestOptions = Object(args[path.length + 1])
    const call = prepareRequest(connection, method, path, [...args.slice(0, path.length), undefined, options])
    const content = contentOf(args[path.length])
    const mediaType = contentType || (content instanceof Blob && content.type) || 'application/octet-stream'
    return send<Value, Code>(connection, { ...call, content, headers: { 'content-type': mediaType, ...call.headers } })
  }

/** A copy of a view, because its buffer can be larger: that of a `Buffer` of Node.js often is. The type has been checked. */
const contentOf = (given: unknown): Blob | ArrayBuffer | string =>
  given instanceof Uint8Array
    ? Uint8Array.from(given).buffer
    : given instanceof Blob || given instanceof ArrayBuffer
      ? given
      : `${given}`
