import type { CapabilityTypes } from './capability-types.js'
import type { Connection } from './connection.js'
import type { EntityShape } from './entity-shape.js'
import type { Page, Paged } from './paged.js'
import type { PathTemplate } from './path-template.js'
import type { QueryOptions, Select } from './query-options.js'
import { readPages } from './read-pages.js'
import type { Row } from './row.js'
import type { ServiceError } from './service-error.js'

/** A page of changes. */
export interface DeltaPage<T> extends Page<T> {
  /** On the last page: give it to `resume`, later, for what has changed since. */
  readonly deltaLink: string | undefined
}

/** An item that is new or has changed: its key, and those of its properties that the service tells. */
export type Changed<E extends EntityShape, S> = KeyOf<E> & Partial<Row<E, S, object>>

/** An item that is gone; `deleted` for good, or `changed` so that it no longer belongs to the collection. */
export type Removed<E extends EntityShape> = KeyOf<E> & {
  readonly '@removed': { readonly reason: 'changed' | 'deleted' }
}

type KeyOf<E extends EntityShape> = Pick<E['properties'], E['key'] & keyof E['properties']>

/**
 * Reads what has changed in a collection: all of it at first, then from each `deltaLink` on. Tell the two kinds of items
 * apart by `'@removed' in item`.
 *
 * @see OData 4.01 Protocol, 11.3
 */
export interface DeltaOperation<
  Keys extends readonly unknown[],
  E extends EntityShape,
  C extends CapabilityTypes,
  Code extends string,
> {
  <const S extends Select<E> = undefined>(
    ...args: [...keys: Keys, query?: QueryOptions<E, C, S, object>]
  ): Paged<Changed<E, S> | Removed<E>, ServiceError<Code>, DeltaPage<Changed<E, S> | Removed<E>>>
  /** Never there: with it the compiler takes the operation's types as they are, instead of inferring them anew. */
  readonly types?: readonly [E, C]
}

/** Makes the operation that tells the changes of what is at a path. */
export const delta: <
  Keys extends readonly unknown[],
  E extends EntityShape,
  C extends CapabilityTypes,
  Code extends string,
>(
  connection: Connection,
  path: PathTemplate,
) => DeltaOperation<Keys, E, C, Code> = readPages
