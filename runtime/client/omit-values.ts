import type { ApiPromise } from './connection.js'
import type { AnyRow, BaseShape, EntityShape, Row, WithCasts } from './entity-shape.js'
import type { ServiceError } from './errors.js'
import type { Paged } from './paging.js'
import type { CapabilityTypes, Expand, QueryOptions, Select } from './query-options.js'

// Reads with `prefer: { 'omit-values': ... }`. They send what the other reads send; only the types of the items differ.
// @see OData Protocol 4.01, 8.2.8.6

/** A list whose items may lack properties. */
export type OmittingListOperation<
  Keys extends readonly unknown[],
  E extends EntityShape,
  C extends CapabilityTypes,
  Code extends string,
> = <const S extends Select<E> = undefined, const X extends Expand<E, C> = object, O extends OmittedValues = never>(
  ...args: [...keys: Keys, query: QueryOptions<E, C, S, X> & Omitting<O>]
) => Paged<WithoutValues<Row<E, S, X>, O>, ServiceError<Code>>

/** The same, of items that can have several types. */
export type PolymorphicOmittingListOperation<
  Keys extends readonly unknown[],
  E extends BaseShape,
  C extends CapabilityTypes,
  Code extends string,
> = <
  const S extends Select<WithCasts<E>> = undefined,
  const X extends Expand<WithCasts<E>, C> = object,
  O extends OmittedValues = never,
>(
  ...args: [...keys: Keys, query: QueryOptions<WithCasts<E>, C, S, X> & Omitting<O>]
) => Paged<WithoutValues<AnyRow<E, S, X>, O>, ServiceError<Code>>

/** A read of an item that may lack properties. `Absent` is undefined if the path can lead to no item. */
export type OmittingGetOperation<
  Keys extends readonly unknown[],
  E extends EntityShape,
  C extends CapabilityTypes,
  Code extends string,
  Absent = never,
> = <const S extends Select<E> = undefined, const X extends Expand<E, C> = object, O extends OmittedValues = never>(
  ...args: [...keys: Keys, query: QueryOptions<E, C, S, X, 'select' | 'expand'> & Omitting<O>]
) => ApiPromise<WithoutValues<Row<E, S, X>, O> | Absent, ServiceError<Code>>

/** The same, of an item that can have several types. */
export type PolymorphicOmittingGetOperation<
  Keys extends readonly unknown[],
  E extends BaseShape,
  C extends CapabilityTypes,
  Code extends string,
  Absent = never,
> = <
  const S extends Select<WithCasts<E>> = undefined,
  const X extends Expand<WithCasts<E>, C> = object,
  O extends OmittedValues = never,
>(
  ...args: [...keys: Keys, query: QueryOptions<WithCasts<E>, C, S, X, 'select' | 'expand'> & Omitting<O>]
) => ApiPromise<WithoutValues<AnyRow<E, S, X>, O> | Absent, ServiceError<Code>>

type OmittedValues = 'nulls' | 'defaults'

interface Omitting<O extends OmittedValues> {
  /** `nulls`: properties that are null can be absent. `defaults`: those that have their default value, which can be null. */
  readonly prefer: { readonly 'omit-values': O }
}

/** An item without the omitted values, at any depth. The service decides which of them it omits. */
type WithoutValues<Value, O extends OmittedValues> = Value extends readonly (infer Item)[]
  ? readonly WithoutValues<Item, O>[]
  : Value extends object
    ? {
        readonly [Name in keyof Value as MayBeAbsent<Value[Name], Name, O> extends true ? never : Name]: WithoutValues<
          Value[Name],
          O
        >
      } & {
        readonly [Name in keyof Value as MayBeAbsent<Value[Name], Name, O> extends true ? Name : never]?: WithoutValues<
          Value[Name],
          O
        >
      }
    : Value

type MayBeAbsent<Value, Name, O extends OmittedValues> = Name extends `@${string}`
  ? false
  : O extends 'defaults'
    ? true
    : null extends Value
      ? true
      : false
