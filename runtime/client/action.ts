import type { ApiPromise } from './api-promise.js'
import { send } from './call.js'
import { optionsAt } from './call-options.js'
import type { Connection } from './connection.js'
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

/** How an action is called. */
interface ActionForm {
  /** It takes none, and no body is sent. */
  readonly parameters?: false
  /** It returns a collection or a primitive value, which the answer wraps in `value`. */
  readonly wrapped?: true
}

/** Makes the operation that calls the action at a path. */
export const action =
  <Arguments extends readonly unknown[], Value, Code extends string, O extends RequestOptions>(
    connection: Connection,
    path: PathTemplate,
    { parameters, wrapped }: ActionForm = {},
  ): ActionOperation<Arguments, Value, Code, O> =>
  (...args: readonly unknown[]) =>
    send(
      connection,
      {
        method: 'POST',
        url: connection.baseUrl + path(...args),
        options: optionsAt(args, path.length + (parameters === false ? 0 : 1)),
        body: parameters === false ? undefined : args[path.length],
      },
      wrapped && unwrap<Value>,
    )
