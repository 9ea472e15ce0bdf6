import { type ApiPromise, apiPromise, type Connection, operation, prepareRequest, send } from './connection.js'
import type { EntityShape, PropertyName, Scalar, ValueAt } from './entity-shape.js'
import type { ServiceError } from './errors.js'
import type { PathTemplate } from './path.js'
import type { ChangeOptions, Options, RequestOptions } from './query-options.js'

/** Names a property of an item, `title` or `edition/publisher`. Nothing is sent until you call one of its methods. */
export type PropertyOperation<
  Keys extends readonly unknown[],
  E extends EntityShape,
  Patch,
  Code extends string,
  O extends RequestOptions = ChangeOptions,
> = <const P extends AnyPropertyPath<E['properties']>>(
  ...args: [...keys: Keys, path: P]
) => PropertyResource<ValueAt<E['properties'], P>, Writable<Patch, P>, Code, O>

/** A property of one item. A property that cannot be changed has the `Input` never. */
export interface PropertyResource<Value, Input, Code extends string, O extends RequestOptions = ChangeOptions> {
  /** Reads the value. Null is undefined (204). */
  get(
    options?: RequestOptions,
  ): ApiPromise<Exclude<Value, null> | (null extends Value ? undefined : never), ServiceError<Code>>
  /** Sets the value. Omitted members of a complex value get their defaults. */
  set(value: Input, ...options: Options<O>): ApiPromise<void, ServiceError<Code>>
  /** Sets the value to null, or to an empty list. */
  clear(...options: Options<O>): ApiPromise<void, ServiceError<Code>>
}

/** Creates the operation that names a property of the item at a path. */
export const property =
  <Keys extends readonly unknown[], E extends EntityShape, Patch, Code extends string, O extends RequestOptions>(
    connection: Connection,
    path: PathTemplate,
  ): PropertyOperation<Keys, E, Patch, Code, O> =>
  (...args: readonly unknown[]) => {
    const at = (): string => `${path(...args)}/${encodeURI(`${args[path.length]}`)}`
    return {
      get: operation(connection, 'GET', at, undefined, undefined, propertyValue),
      set: (value: unknown, ...options: readonly unknown[]) =>
        operation<void, Code, void>(connection, 'PUT', at)(bodyOf(value), ...options),
      clear: operation(connection, 'DELETE', at),
    }
  }

/** The value in a response: the members of a complex value are the body itself. The client trusts its type. */
const propertyValue = (body: ReturnType<typeof JSON.parse>): ReturnType<typeof JSON.parse> => {
  const names = Object.keys(body ?? {}).filter(name => !name.includes('@'))
  return names.join() === 'value' ? body.value : (body ?? undefined)
}

/** Only complex values are a body on their own. */
const bodyOf = (value: unknown): unknown => (isComplex(value) ? value : { value })

/** GeoJSON is an object, too. */
const isComplex = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !('type' in value && ('coordinates' in value || 'geometries' in value))

/** Paths to the properties in `P`, at most two complex properties deep. */
type AnyPropertyPath<P, Depth extends readonly unknown[] = [1, 2]> = {
  [K in PropertyName<P>]:
    | K
    | (NonNullable<P[K]> extends Scalar | readonly unknown[]
        ? never
        : Depth extends readonly [unknown, ...infer Rest]
          ? `${K}/${AnyPropertyPath<NonNullable<P[K]>, Rest>}`
          : never)
}[PropertyName<P>]

type Writable<Patch, P> = Patch extends unknown ? Exclude<ValueAt<Patch, P>, undefined> : never

/** Names the links of a collection of related items. Nothing is sent until you call one of its methods. */
export type LinksOperation<
  Keys extends readonly unknown[],
  Code extends string,
  O extends RequestOptions = ChangeOptions,
> = (...keys: Keys) => Links<Code, O>

/** The links of one item to a collection of others. Items are named by their URLs, `authors(1)`. */
interface Links<Code extends string, O extends RequestOptions> {
  /** The URLs of the related items. */
  list(options?: RequestOptions): ApiPromise<readonly string[], ServiceError<Code>>
  add(url: string, ...options: Options<O>): ApiPromise<void, ServiceError<Code>>
  remove(url: string, ...options: Options<O>): ApiPromise<void, ServiceError<Code>>
}

/** Names the link to the one related item. Nothing is sent until you call one of its methods. */
export type LinkOperation<
  Keys extends readonly unknown[],
  Code extends string,
  O extends RequestOptions = ChangeOptions,
> = (...keys: Keys) => Link<Code, O>

/** The link of one item to another one, which is named by its URL, `books('1')`. */
interface Link<Code extends string, O extends RequestOptions> {
  /** The URL of the related item. */
  get(options?: RequestOptions): ApiPromise<string, ServiceError<Code>>
  set(url: string, ...options: Options<O>): ApiPromise<void, ServiceError<Code>>
  clear(...options: Options<O>): ApiPromise<void, ServiceError<Code>>
}

/** Creates the operation that names the links of the relation at a path. */
export const links =
  <Keys extends readonly unknown[], Code extends string, O extends RequestOptions>(
    connection: Connection,
    path: PathTemplate,
  ): LinksOperation<Keys, Code, O> =>
  (...keys: readonly unknown[]) => {
    const at = (): string => `${path(...keys)}/$ref`
    const idsOf = (page: { readonly value: readonly Identified[] }): readonly string[] => page.value.map(idOf)
    return {
      list: operation(connection, 'GET', at, undefined, undefined, idsOf),
      add: changing(connection, 'POST', at),
      remove: (url, ...options) =>
        operation<void, Code, void>(connection, 'DELETE', () => `${at()}?$id=${encodeURIComponent(url)}`)(...options),
    }
  }

/** Creates the operation that names the link of the relation at a path. */
export const link =
  <Keys extends readonly unknown[], Code extends string, O extends RequestOptions>(
    connection: Connection,
    path: PathTemplate,
  ): LinkOperation<Keys, Code, O> =>
  (...keys: readonly unknown[]) => {
    const at = (): string => `${path(...keys)}/$ref`
    return {
      get: operation(connection, 'GET', at, undefined, undefined, idOf),
      set: changing(connection, 'PUT', at),
      clear: operation(connection, 'DELETE', at),
    }
  }

interface Identified {
  readonly '@odata.id': string
}

const idOf = (item: Identified): string => item['@odata.id']

const changing =
  <Code extends string>(connection: Connection, method: string, at: PathTemplate) =>
  (url: string, ...options: readonly unknown[]): ApiPromise<void, ServiceError<Code>> =>
    operation<void, Code, void>(connection, method, at)({ '@odata.id': url }, ...options)

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
