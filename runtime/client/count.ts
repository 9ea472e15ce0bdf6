import type { ApiPromise } from './api-promise.js'
import type { CapabilityTypes } from './capability-types.js'
import type { Conditions } from './conditions.js'
import type { Connection } from './connection.js'
import type { EntityShape } from './entity-shape.js'
import type { LiteralFormats } from './literal.js'
import { operation } from './operation.js'
import type { PathTemplate } from './path-template.js'
import type { QueryOptions } from './query-options.js'
import type { ServiceError } from './service-error.js'

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
  conditions?: Conditions,
): CountOperation<Keys, E, C, Code> => operation(connection, 'GET', path, formats, conditions)
