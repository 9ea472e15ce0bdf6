import type { ApiPromise } from './api-promise.js'
import type { Connection } from './connection.js'
import { operation } from './operation.js'
import type { PathTemplate } from './path-template.js'
import type { Options, RequestOptions } from './request-options.js'
import type { ServiceError } from './service-error.js'
import { unwrap } from './unwrap.js'

/** Calls an action. `Arguments` are the keys in the path, then the parameters when it has any. */
export type ActionOperation<
  Arguments extends readonly unknown[],
  Value,
  Code extends string,
  O extends RequestOptions = RequestOptions,
> = (...args: [...args: Arguments, ...options: Options<O>]) => ApiPromise<Value, ServiceError<Code>>

/**
 * Makes the operation that calls the action at a path; `wrapped` when it returns a collection or a primitive value, which
 * the answer wraps in `value`.
 */
export const action = <Arguments extends readonly unknown[], Value, Code extends string, O extends RequestOptions>(
  connection: Connection,
  path: PathTemplate,
  wrapped?: boolean,
): ActionOperation<Arguments, Value, Code, O> =>
  operation(connection, 'POST', path, undefined, undefined, wrapped ? unwrap<Value> : undefined)

/** Makes the operation that calls the action at a path that takes no parameters. */
export const parameterlessAction =
  <Arguments extends readonly unknown[], Value, Code extends string, O extends RequestOptions>(
    connection: Connection,
    path: PathTemplate,
    wrapped?: boolean,
  ): ActionOperation<Arguments, Value, Code, O> =>
  (...args: readonly unknown[]) =>
    operation<Value, Code, { readonly value: Value }>(
      connection,
      'POST',
      path,
      undefined,
      undefined,
      wrapped ? unwrap : undefined,
    )(...args.slice(0, path.length), undefined, ...args.slice(path.length))
