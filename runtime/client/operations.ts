import type { Connection } from './connection.js'
import type { EntityShape, Row } from './entity-shape.js'
import type { ServiceError } from './errors.js'
import type { LiteralFormats } from './literals.js'
import type { PathTemplate } from './path.js'
import type {
  CapabilityTypes,
  ChangeOptions,
  Expand,
  Options,
  QueryOptions,
  RequestOptions,
  RequiredHeaders,
  Select,
} from './query-options.js'
import { type ApiPromise, operation } from './request.js'

/**
 * Options of a read of an item that carries an entity tag.
 *
 * @see RFC 9110, 13.1.2
 */
interface TaggedRead<Tag> {
  /** The `@odata.etag` of an item read before: the value is undefined (304) when the item is still the same. */
  readonly ifNoneMatch?: Tag | undefined
}

/** Reads one item. `Absent` is undefined where the path may lead to nothing. */
export interface GetOperation<
  Keys extends readonly unknown[],
  E extends EntityShape,
  C extends CapabilityTypes,
  Code extends string,
  Absent = never,
> {
  <
    const S extends Select<E> = undefined,
    const X extends Expand<E, C> = object,
    Tag extends string | undefined = undefined,
  >(
    ...args: [...keys: Keys, query?: QueryOptions<E, C, S, X, 'select' | 'expand'> & TaggedRead<Tag>]
  ): ApiPromise<Row<E, S, X> | Absent | (Tag extends string ? undefined : never), ServiceError<Code>>
  /** Never there: with it the compiler takes the operation's types as they are, instead of inferring them anew. */
  readonly types?: readonly [E, C]
}

/** Makes the operation that reads the item at a path. */
export const get = <
  Keys extends readonly unknown[],
  E extends EntityShape,
  C extends CapabilityTypes,
  Code extends string,
  Absent,
>(
  connection: Connection,
  path: PathTemplate,
  formats?: LiteralFormats,
): GetOperation<Keys, E, C, Code, Absent> => operation<never, Code, unknown>(connection, 'GET', path, formats)

/** Counts the items of a collection. */
export interface CountOperation<
  Keys extends readonly unknown[],
  E extends EntityShape,
  C extends CapabilityTypes,
  Code extends string,
> {
  (
    ...args: [...keys: Keys, query?: QueryOptions<E, C, undefined, object, 'filter' | 'search'>]
  ): ApiPromise<number, ServiceError<Code>>
  /** Never there: with it the compiler takes the operation's types as they are, instead of inferring them anew. */
  readonly types?: readonly [E, C]
}

/** Makes the operation that counts what is at a path. */
export const count = <
  Keys extends readonly unknown[],
  E extends EntityShape,
  C extends CapabilityTypes,
  Code extends string,
>(
  connection: Connection,
  path: PathTemplate,
  formats?: LiteralFormats,
  conditions?: RequiredHeaders,
): CountOperation<Keys, E, C, Code> => operation(connection, 'GET', path, formats, conditions)

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

/** The collection or primitive value in an answer. The answer itself is missing (204) when the value is null. */
const unwrap = <Value>(body: { readonly value: Value }): Value => body?.value

/**
 * The operations of a resource as the type that is declared for them. Generated code names both from one model, so the
 * compiler holds them to the names alone: to infer each operation's types anew took it longer than the rest of a client.
 */
export function resource<Resource extends object>(operations: { readonly [Name in keyof Resource]: unknown }): Resource
export function resource(operations: object): object {
  return operations
}
