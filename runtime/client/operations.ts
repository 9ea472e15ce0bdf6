import { type ApiPromise, type Connection, operation } from './connection.js'
import type { AnyRow, BaseShape, EntityShape, Row, WithCasts } from './entity-shape.js'
import type { ServiceError } from './errors.js'
import type { LiteralFormats, PathTemplate } from './path.js'
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

/**
 * Options of a read of an item that carries an entity tag.
 *
 * @see RFC 9110, 13.1.2
 */
interface TaggedRead<Tag> {
  /** The `@odata.etag` of an item that you have read. The result is undefined (304) if the item has not changed. */
  readonly ifNoneMatch?: Tag | undefined
}

/** Reads one item. `Absent` is undefined if the path can lead to no item. */
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
  /** Never set. It lets the compiler read the operation's type arguments instead of inferring them again. */
  readonly types?: readonly [E, C]
}

/** Reads one item that can have several types. @see GetOperation */
export interface PolymorphicGetOperation<
  Keys extends readonly unknown[],
  E extends BaseShape,
  C extends CapabilityTypes,
  Code extends string,
  Absent = never,
> {
  <
    const S extends Select<WithCasts<E>> = undefined,
    const X extends Expand<WithCasts<E>, C> = object,
    Tag extends string | undefined = undefined,
  >(
    ...args: [...keys: Keys, query?: QueryOptions<WithCasts<E>, C, S, X, 'select' | 'expand'> & TaggedRead<Tag>]
  ): ApiPromise<AnyRow<E, S, X> | Absent | (Tag extends string ? undefined : never), ServiceError<Code>>
  /** Never set. It lets the compiler read the operation's type arguments instead of inferring them again. */
  readonly types?: readonly [E, C]
}

/** Creates the operation that reads the item at a path. */
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

export interface CountOperation<
  Keys extends readonly unknown[],
  E extends EntityShape,
  C extends CapabilityTypes,
  Code extends string,
> {
  (
    ...args: [...keys: Keys, query?: QueryOptions<E, C, undefined, object, 'filter' | 'search'>]
  ): ApiPromise<number, ServiceError<Code>>
  /** Never set. It lets the compiler read the operation's type arguments instead of inferring them again. */
  readonly types?: readonly [E, C]
}

/** Creates the operation that counts the items at a path. */
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

/** Creates an item in a collection. The result is the item that the service created. */
export type CreateOperation<
  Keys extends readonly unknown[],
  Body,
  Value,
  Code extends string,
  O extends RequestOptions = RequestOptions,
> = (...args: [...keys: Keys, body: Body, ...options: Options<O>]) => ApiPromise<Value, ServiceError<Code>>

/** Creates the operation that creates an item at a path. */
export const create = <Keys extends readonly unknown[], Body, Value, Code extends string, O extends RequestOptions>(
  connection: Connection,
  path: PathTemplate,
): CreateOperation<Keys, Body, Value, Code, O> => operation(connection, 'POST', path)

/** Updates an item. Omitted properties keep their values; null clears a property. The result is the updated item. */
export type UpdateOperation<
  Keys extends readonly unknown[],
  Body,
  Value,
  Code extends string,
  O extends RequestOptions = ChangeOptions,
> = (...args: [...keys: Keys, body: Body, ...options: Options<O>]) => ApiPromise<Value, ServiceError<Code>>

/** Creates the operation that updates the item at a path. `PUT` replaces it: omitted properties get their defaults. */
export const update = <Keys extends readonly unknown[], Body, Value, Code extends string, O extends RequestOptions>(
  connection: Connection,
  path: PathTemplate,
  method: 'PATCH' | 'PUT' = 'PATCH',
): UpdateOperation<Keys, Body, Value, Code, O> => operation(connection, method, path)

export type DeleteOperation<
  Keys extends readonly unknown[],
  Code extends string,
  O extends RequestOptions = ChangeOptions,
> = (...args: [...keys: Keys, ...options: Options<O>]) => ApiPromise<void, ServiceError<Code>>

/** Creates the operation that deletes the item at a path. It isn't called `delete`, which is a reserved word. */
export const remove = <Keys extends readonly unknown[], Code extends string, O extends RequestOptions>(
  connection: Connection,
  path: PathTemplate,
): DeleteOperation<Keys, Code, O> => operation(connection, 'DELETE', path)

/** Calls an action. `Arguments` are the keys in the path, followed by the parameters if the action has any. */
export type ActionOperation<
  Arguments extends readonly unknown[],
  Value,
  Code extends string,
  O extends RequestOptions = RequestOptions,
> = (...args: [...args: Arguments, ...options: Options<O>]) => ApiPromise<Value, ServiceError<Code>>

/**
 * Creates the operation that calls the action at a path. Set `wrapped` if the action returns a collection or a
 * primitive value: the response wraps these in `value`.
 */
export const action = <Arguments extends readonly unknown[], Value, Code extends string, O extends RequestOptions>(
  connection: Connection,
  path: PathTemplate,
  wrapped?: boolean,
): ActionOperation<Arguments, Value, Code, O> =>
  operation(connection, 'POST', path, undefined, undefined, wrapped ? unwrap<Value> : undefined)

/** Creates the operation that calls an action without parameters. */
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
 * Calls a function that returns one value and takes no query options. Other functions are read by a `ListOperation` or
 * a `GetOperation`. `Arguments` are the keys in the path, followed by the parameters if the function has any.
 */
export type FunctionOperation<
  Arguments extends readonly unknown[],
  Value,
  Code extends string,
  O extends RequestOptions = RequestOptions,
> = (...args: [...args: Arguments, ...options: Options<O>]) => ApiPromise<Value, ServiceError<Code>>

/**
 * Creates the operation that calls the function at a path. Set `wrapped` if the response wraps the result in `value`.
 */
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

/** The collection or primitive value in a response. There is no body (204) if the value is null. */
const unwrap = <Value>(body: { readonly value: Value }): Value => body?.value

/**
 * Gives the operations of a resource their declared type. The compiler checks only the names of the operations, because
 * inferring the types of each operation again takes longer than checking the rest of a client.
 */
export function resource<Resource extends object>(operations: { readonly [Name in keyof Resource]: unknown }): Resource
export function resource(operations: object): object {
  return operations
}
