import type { ApiPromise } from './api-promise.js'
import type { Connection } from './connection.js'
import { operation } from './operation.js'
import type { PathTemplate } from './path-template.js'
import type { ChangeOptions, Options, RequestOptions } from './request-options.js'
import type { ServiceError } from './service-error.js'

/** Deletes one item. */
export type DeleteOperation<
  Keys extends readonly unknown[],
  Code extends string,
  O extends RequestOptions = ChangeOptions,
> = (...args: [...keys: Keys, ...options: Options<O>]) => ApiPromise<void, ServiceError<Code>>

/** Makes the operation that deletes the item at a path. Not called `delete`, which is a reserved word. */
export const remove = <Keys extends readonly unknown[], Code extends string, O extends RequestOptions>(
  connection: Connection,
  path: PathTemplate,
): DeleteOperation<Keys, Code, O> => operation(connection, 'DELETE', path)
