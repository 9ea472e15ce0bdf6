import type { CapabilityTypes } from './capability-types.js'
import type { Conditions } from './conditions.js'
import type { Connection } from './connection.js'
import type { EntityShape } from './entity-shape.js'
import type { LiteralFormats } from './literal.js'
import type { Paged } from './paged.js'
import type { PathTemplate } from './path-template.js'
import type { Expand, QueryOptions, Select } from './query-options.js'
import { readPages } from './read-pages.js'
import type { Row } from './row.js'
import type { ServiceError } from './service-error.js'

/** Reads a collection. `Keys` are the arguments that stand in the path. */
export interface ListOperation<
  Keys extends readonly unknown[],
  E extends EntityShape,
  C extends CapabilityTypes,
  Code extends string,
> {
  <const S extends Select<E> = undefined, const X extends Expand<E, C> = object>(
    ...args: [...keys: Keys, query?: QueryOptions<E, C, S, X>]
  ): Paged<Row<E, S, X>, ServiceError<Code>>
  /** Never there: with it the compiler takes the operation's types as they are, instead of inferring them anew. */
  readonly types?: readonly [E, C]
}

/** Makes the operation that lists what is at a path. */
export const list: <
  Keys extends readonly unknown[],
  E extends EntityShape,
  C extends CapabilityTypes,
  Code extends string,
>(
  connection: Connection,
  path: PathTemplate,
  formats?: LiteralFormats,
  conditions?: Conditions,
) => ListOperation<Keys, E, C, Code> = readPages
