import { type ApiPromise, type Connection, operation } from './connection.js'
import type { EntityShape, PropertyName, Row, WithComputed } from './entity-shape.js'
import type { ServiceError } from './errors.js'
import { type AnyFilterBuilder, type Arithmetic, type Expression, filterBuilder, formatsAt } from './filter.js'
import { type Paged, pagedOperation } from './paging.js'
import { type LiteralFormat, type LiteralFormats, literal, type PathTemplate } from './path.js'
import type {
  CapabilityTypes,
  Compute,
  Expand,
  Query,
  QueryOptionName,
  QueryOptions,
  RequiredHeaders,
} from './query-options.js'

/** Computes properties of each item of a list. */
export type ComputingListOperation<
  Keys extends readonly unknown[],
  E extends EntityShape,
  C extends CapabilityTypes,
  Code extends string,
> = <
  const K extends Compute<E, C>,
  const S extends SelectComputed<E, K> = undefined,
  const X extends Expand<E, C> = object,
>(
  ...args: [...keys: Keys, query: ComputingQuery<E, C, K, S, X>]
) => Paged<Row<WithComputed<E, K>, S, X>, ServiceError<Code>>

/** Computes properties of one item. `Absent` is undefined if the path can lead to no item. */
export type ComputingGetOperation<
  Keys extends readonly unknown[],
  E extends EntityShape,
  C extends CapabilityTypes,
  Code extends string,
  Absent = never,
> = <
  const K extends Compute<E, C>,
  const S extends SelectComputed<E, K> = undefined,
  const X extends Expand<E, C> = object,
>(
  ...args: [...keys: Keys, query: ComputingQuery<E, C, K, S, X>]
) => ApiPromise<Row<WithComputed<E, K>, S, X> | Absent, ServiceError<Code>>

/** The other options can use the computed properties. */
type ComputingQuery<E extends EntityShape, C extends CapabilityTypes, K, S, X> = {
  /** Adds properties to each item: name -> expression. With `select`, those that it names. */
  readonly compute: K
} & QueryOptions<WithComputed<E, K>, C, S, X, Exclude<QueryOptionName, 'compute'>>

type SelectComputed<E extends EntityShape, K> =
  | readonly (PropertyName<E['properties']> | (keyof K & string) | '*')[]
  | undefined

type AnyArithmetic = {
  readonly [Name in Exclude<keyof Arithmetic<never, never>, 'property'>]: (
    left: unknown,
    right: unknown,
  ) => Expression<never>
} & { readonly property: (path: string) => Expression<never> }

/** The untyped builder of computed values. */
export type AnyExpressionBuilder = AnyFilterBuilder & AnyArithmetic

export const expressionBuilder = (formats: LiteralFormat | LiteralFormats | undefined): AnyExpressionBuilder => {
  const textOf = (operand: unknown): string =>
    typeof operand === 'string' ? operand : isExpression(operand) ? operand.text : literal(operand)
  const operator =
    (name: string) =>
    (left: unknown, right: unknown): Expression<never> => ({ text: `(${textOf(left)} ${name} ${textOf(right)})` })
  return {
    ...filterBuilder(formats),
    property: text => ({ text }),
    add: operator('add'),
    sub: operator('sub'),
    mul: operator('mul'),
    div: operator('div'),
    divby: operator('divby'),
    mod: operator('mod'),
  }
}

const isExpression = (operand: unknown): operand is Expression<unknown> =>
  typeof operand === 'object' && operand !== null && 'text' in operand

/** `price mul 2 as twice,year(published) as year` */
export const computeText = (
  compute: Readonly<Record<string, (f: AnyExpressionBuilder) => Expression<unknown>>>,
  formats: LiteralFormat | LiteralFormats | undefined,
): string =>
  Object.entries(compute)
    .map(([name, expression]) => `${expression(expressionBuilder(formats)).text} as ${name}`)
    .join()

/** Writes `compute` as text, in a query and in the options of expanded items. */
export const withComputeTexts = (
  { compute, expand, ...query }: ComputingOptions,
  formats: LiteralFormat | LiteralFormats | undefined,
): Query => ({
  ...query,
  ...(compute && { compute: typeof compute === 'string' ? compute : computeText(compute, formats) }),
  ...(expand && {
    expand: Object.fromEntries(
      Object.entries(expand).map(([name, options]) => [
        name,
        options === true ? options : options && withComputeTexts(options, formatsAt(formats, name)),
      ]),
    ),
  }),
})

interface ComputingOptions extends Omit<Query, 'expand' | 'compute'> {
  readonly compute?: string | Parameters<typeof computeText>[0] | undefined
  readonly expand?: Readonly<Record<string, true | ComputingOptions | undefined>> | undefined
}

/** Creates the operation that lists the items at a path, with computed properties. */
export const computingList = (
  connection: Connection,
  path: PathTemplate,
  formats?: LiteralFormats,
  conditions?: RequiredHeaders,
): UntypedOperation =>
  withOptions(pagedOperation(connection, path, formats, conditions), path, options =>
    withComputeTexts(options, formats),
  )

/** Creates the operation that reads the item at a path, with computed properties. */
export const computingGet = (connection: Connection, path: PathTemplate, formats?: LiteralFormats): UntypedOperation =>
  withOptions(operation(connection, 'GET', path, formats), path, options => withComputeTexts(options, formats))

/** An operation whose declared type says what it takes and returns. */
export type UntypedOperation = (...args: readonly unknown[]) => unknown

/** The operation with its options, which follow the keys of its path, written anew. */
export const withOptions =
  (read: UntypedOperation, path: PathTemplate, written: (options: object) => object): UntypedOperation =>
  (...args) =>
    read(...args.slice(0, path.length), written(Object(args[path.length])))
