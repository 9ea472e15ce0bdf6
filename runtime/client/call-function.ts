import type { ApiPromise } from './api-promise.js'
import type { Connection } from './connection.js'
import { operation } from './operation.js'
import type { PathTemplate } from './path-template.js'
import type { Options, RequestOptions } from './request-options.js'
import type { ServiceError } from './service-error.js'
import { unwrap } from './unwrap.js'

/**
 * Calls a function that returns one value without query options; what else a function returns is read by a
 * `ListOperation` or `GetOperation`. `Arguments` are the keys in the path, then the parameters when it has any.
 */
export type FunctionOperation<
  Arguments extends readonly unknown[],
  Value,
  Code extends string,
  O extends RequestOptions = RequestOptions,
> = (...args: [...args: Arguments, ...options: Options<O>]) => ApiPromise<Value, ServiceError<Code>>

/** Makes the operation that calls the function at a path; `wrapped` when the answer wraps what it returns in `value`. */
export const callFunction = <
  Arguments extends readonly unknown[],
  Value,
  Code extends string,
  O extends RequestOptions,
>(
  connection: Connection,
  path: PathTemplate,
  wrapped?: boolean,
): FunctionOperation<Arguments, Value, Code, O> =>
  operation(connection, 'GET', path, undefined, undefined, wrapped ? unwrap<Value> : undefined)
