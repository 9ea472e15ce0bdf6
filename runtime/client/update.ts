import type { ApiPromise } from './api-promise.js'
import type { Connection } from './connection.js'
import { operation } from './operation.js'
import type { PathTemplate } from './path-template.js'
import type { ChangeOptions, Options, RequestOptions } from './request-options.js'
import type { ServiceError } from './service-error.js'

/** Changes one item: what the body leaves out stays as it is, null clears. The value is the item as it is now. */
export type UpdateOperation<
  Keys extends readonly unknown[],
  Body,
  Value,
  Code extends string,
  O extends RequestOptions = ChangeOptions,
> = (...args: [...keys: Keys, body: Body, ...options: Options<O>]) => ApiPromise<Value, ServiceError<Code>>

/** Makes the operation that changes the item at a path. `PUT` replaces it: what the body leaves out gets its default. */
export const update = <Keys extends readonly unknown[], Body, Value, Code extends string, O extends RequestOptions>(
  connection: Connection,
  path: PathTemplate,
  method: 'PATCH' | 'PUT' = 'PATCH',
): UpdateOperation<Keys, Body, Value, Code, O> => operation(connection, method, path)
