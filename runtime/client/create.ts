import type { ApiPromise } from './api-promise.js'
import type { Connection } from './connection.js'
import { operation } from './operation.js'
import type { PathTemplate } from './path-template.js'
import type { Options, RequestOptions } from './request-options.js'
import type { ServiceError } from './service-error.js'

/** Creates an item in a collection; the value is the item as the service made it. */
export type CreateOperation<
  Keys extends readonly unknown[],
  Body,
  Value,
  Code extends string,
  O extends RequestOptions = RequestOptions,
> = (...args: [...keys: Keys, body: Body, ...options: Options<O>]) => ApiPromise<Value, ServiceError<Code>>

/** Makes the operation that creates an item at a path. */
export const create = <Keys extends readonly unknown[], Body, Value, Code extends string, O extends RequestOptions>(
  connection: Connection,
  path: PathTemplate,
): CreateOperation<Keys, Body, Value, Code, O> => operation(connection, 'POST', path)
