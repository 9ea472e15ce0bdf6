import type { Connection } from './connection.js'
import type { EntityShape, PropertyName, Scalar, ValueAt } from './entity-shape.js'
import type { ServiceError } from './errors.js'
import type { PathTemplate } from './path.js'
import type { ChangeOptions, Options, RequestOptions } from './query-options.js'
import { type ApiPromise, operation } from './request.js'

/** Names a property of an item, `title` or `edition/publisher`. Nothing is sent until you call one of its methods. */
export type PropertyOperation<
  Keys extends readonly unknown[],
  E extends EntityShape,
  Patch,
  Code extends string,
  O extends RequestOptions = ChangeOptions,
> = <const P extends AnyPropertyPath<E['properties']>>(
  ...args: [...keys: Keys, path: P]
) => PropertyResource<ValueAt<E['properties'], P>, Writable<Patch, P>, Code, O>

/** A property of one item. A property that cannot be changed has the `Input` never. */
export interface PropertyResource<Value, Input, Code extends string, O extends RequestOptions = ChangeOptions> {
  /** Reads the value. Null is undefined (204). */
  get(
    options?: RequestOptions,
  ): ApiPromise<Exclude<Value, null> | (null extends Value ? undefined : never), ServiceError<Code>>
  /** Sets the value. Omitted members of a complex value get their defaults. */
  set(value: Input, ...options: Options<O>): ApiPromise<void, ServiceError<Code>>
  /** Sets the value to null, or to an empty list. */
  clear(...options: Options<O>): ApiPromise<void, ServiceError<Code>>
}

/** Creates the operation that names a property of the item at a path. */
export const property =
  <Keys extends readonly unknown[], E extends EntityShape, Patch, Code extends string, O extends RequestOptions>(
    connection: Connection,
    path: PathTemplate,
  ): PropertyOperation<Keys, E, Patch, Code, O> =>
  (...args: readonly unknown[]) => {
    const at = (): string => `${path(...args)}/${encodeURI(`${args[path.length]}`)}`
    return {
      get: operation(connection, 'GET', at, undefined, undefined, propertyValue),
      set: (value: unknown, ...options: readonly unknown[]) =>
        operation<void, Code, void>(connection, 'PUT', at)(bodyOf(value), ...options),
      clear: operation(connection, 'DELETE', at),
    }
  }

/** The value in a response: the members of a complex value are the body itself. The client trusts its type. */
const propertyValue = (body: ReturnType<typeof JSON.parse>): ReturnType<typeof JSON.parse> => {
  const names = Object.keys(body ?? {}).filter(name => !name.includes('@'))
  return names.join() === 'value' ? body.value : (body ?? undefined)
}

/** Only complex values are a body on their own. */
const bodyOf = (value: unknown): unknown => (isComplex(value) ? value : { value })

/** GeoJSON is an object, too. */
const isComplex = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !('type' in value && ('coordinates' in value || 'geometries' in value))

/** Paths to the properties in `P`, at most two complex properties deep. */
type AnyPropertyPath<P, Depth extends readonly unknown[] = [1, 2]> = {
  [K in PropertyName<P>]:
    | K
    | (NonNullable<P[K]> extends Scalar | readonly unknown[]
        ? never
        : Depth extends readonly [unknown, ...infer Rest]
          ? `${K}/${AnyPropertyPath<NonNullable<P[K]>, Rest>}`
          : never)
}[PropertyName<P>]

type Writable<Patch, P> = Patch extends unknown ? Exclude<ValueAt<Patch, P>, undefined> : never
