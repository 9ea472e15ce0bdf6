import type { Connection } from './connection.js'
import type { ServiceError } from './errors.js'
import type { PathTemplate } from './path.js'
import type { ChangeOptions, Options, RequestOptions } from './query-options.js'
import { type ApiPromise, operation } from './request.js'

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
