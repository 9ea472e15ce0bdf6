import type { ApiPromise } from './api-promise.js'
import type { CapabilityTypes } from './capability-types.js'
import type { Connection } from './connection.js'
import type { EntityShape } from './entity-shape.js'
import type { LiteralFormats } from './literal.js'
import { operation } from './operation.js'
import type { PathTemplate } from './path-template.js'
import type { Expand, QueryOptions, Select } from './query-options.js'
import type { Row } from './row.js'
import type { ServiceError } from './service-error.js'

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
