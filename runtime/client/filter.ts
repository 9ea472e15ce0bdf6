import type { CanonicalFunctions } from './canonical-functions.js'
import type { CollectionPath, ItemAt, PropertyPath, Scalar, ValueAt } from './entity-shape.js'
import { type LiteralFormat, type LiteralFormats, literal } from './path.js'

/** An expression of the query language as text. `T` is the type of its value. */
export interface Expression<T> {
  readonly text: string
  /** Never set. It makes the compiler distinguish expressions by `T`. */
  readonly evaluatesTo?: T
}

/** A Boolean expression: true, false or null for each item. */
export type Filter = Expression<boolean>

/** A property path or an expression. */
type Operand<P, T = Scalar> = PropertyPath<P, T> | Expression<T>

/** The values that an operand can be compared with. Null is included only if the property is nullable. */
type ComparableWith<P, L> = L extends Expression<infer T> ? T : Extract<ValueAt<P, L>, Scalar | null>

/**
 * Builds a `$filter` for items with the properties `P`. The type of a value follows from the property it is compared
 * with. Dates are ISO 8601 strings. An endpoint supports the members that its capabilities name, and {@link
 * FilterBuilder.raw}.
 *
 * @see OData 4.01 URL Conventions, 5.1.1
 */
export interface FilterBuilder<P, Members extends string> {
  /** `left eq right` */
  eq<L extends Operand<P>>(left: L, right: ComparableWith<P, L>): Filter
  /** `left ne right`. Also true for items without a value. */
  ne<L extends Operand<P>>(left: L, right: ComparableWith<P, L>): Filter
  /** `left gt right` */
  gt<L extends Operand<P>>(left: L, right: NonNullable<ComparableWith<P, L>>): Filter
  /** `left ge right` */
  ge<L extends Operand<P>>(left: L, right: NonNullable<ComparableWith<P, L>>): Filter
  /** `left lt right` */
  lt<L extends Operand<P>>(left: L, right: NonNullable<ComparableWith<P, L>>): Filter
  /** `left le right` */
  le<L extends Operand<P>>(left: L, right: NonNullable<ComparableWith<P, L>>): Filter
  /** `left in (a,b)` */
  in<L extends Operand<P>>(left: L, values: readonly ComparableWith<P, L>[]): Filter
  /** `left has right`: all flags of `right`, such as `a,b`, are set. */
  has<L extends PropertyPath<P, string>>(left: L, right: NonNullable<ComparableWith<P, L>>): Filter
  /** `(a and b)` */
  and(first: Filter, ...more: readonly Filter[]): Filter
  /** `(a or b)` */
  or(first: Filter, ...more: readonly Filter[]): Filter
  /** `not (a)` */
  not(filter: Filter): Filter
  /** `startswith(operand,'text')` */
  startsWith(operand: Operand<P, string>, text: string): Filter
  /** `endswith(operand,'text')` */
  endsWith(operand: Operand<P, string>, text: string): Filter
  /** `contains(operand,'text')` */
  contains(operand: Operand<P, string>, text: string): Filter
  /** `tolower(operand)` */
  tolower(operand: Operand<P, string>): Expression<string>
  /** Calls one of the other functions: `call('year', 'published')` is `year(published)`. */
  call<N extends keyof CanonicalFunctions & Members>(
    name: N,
    operand: Operand<P, CanonicalFunctions[N]['of']>,
    ...more: CanonicalFunctions[N]['with']
  ): Expression<CanonicalFunctions[N]['returns']>
  /**
   * `collection/any(x:predicate)`. Without a predicate: the collection isn't empty. A primitive item has the path
   * `$it`.
   */
  any<L extends CollectionPath<P>>(
    collection: L,
    predicate?: (item: OfferedFilterBuilder<ItemAt<P, L>, Members>) => Filter,
  ): Filter
  /** `collection/all(x:predicate)`. True for an empty collection. */
  all<L extends CollectionPath<P>>(
    collection: L,
    predicate: (item: OfferedFilterBuilder<ItemAt<P, L>, Members>) => Filter,
  ): Filter
  /** An expression in the query language. It is neither checked nor escaped: never pass untrusted text. */
  raw(text: string): Expression<never>
}

/** The members of the builder that an endpoint supports. */
export type OfferedFilterBuilder<P, Members extends string> = Pick<
  FilterBuilder<P, Members>,
  Extract<
    keyof FilterBuilder<P, Members>,
    Members | 'raw' | ([Members & keyof CanonicalFunctions] extends [never] ? never : 'call')
  >
>

/** What the expressions of `compute` have besides the members of a filter builder. */
export interface Arithmetic<P, Numbers> {
  /** The value of a property. */
  property<L extends PropertyPath<P>>(path: L): Expression<ValueAt<P, L>>
  /** `(left add right)`. A string is the path of a property. */
  add(left: NumericOperand<P, Numbers>, right: NumericOperand<P, Numbers> | number): Expression<Numbers>
  /** `(left sub right)` */
  sub(left: NumericOperand<P, Numbers>, right: NumericOperand<P, Numbers> | number): Expression<Numbers>
  /** `(left mul right)` */
  mul(left: NumericOperand<P, Numbers>, right: NumericOperand<P, Numbers> | number): Expression<Numbers>
  /** `(left div right)`: the quotient of two integers is an integer. */
  div(left: NumericOperand<P, Numbers>, right: NumericOperand<P, Numbers> | number): Expression<Numbers>
  /** `(left divby right)` */
  divby(left: NumericOperand<P, Numbers>, right: NumericOperand<P, Numbers> | number): Expression<Numbers>
  /** `(left mod right)` */
  mod(left: NumericOperand<P, Numbers>, right: NumericOperand<P, Numbers> | number): Expression<Numbers>
}

type NumericOperand<P, Numbers> = PropertyPath<P, Numbers> | Expression<Numbers>

type PathOrExpression = string | Expression<unknown>
type Operator = (left: PathOrExpression, right: unknown) => Filter
type CanonicalCall = (operand: PathOrExpression, ...more: readonly unknown[]) => Expression<never>
type Connective = (...filters: readonly Filter[]) => Filter
type Lambda = (collection: string, predicate?: (item: AnyFilterBuilder) => Filter) => Filter

/** The untyped filter builder, with every member of `FilterBuilder`. */
export interface AnyFilterBuilder {
  readonly eq: Operator
  readonly ne: Operator
  readonly gt: Operator
  readonly ge: Operator
  readonly lt: Operator
  readonly le: Operator
  readonly in: Operator
  readonly has: Operator
  readonly and: Connective
  readonly or: Connective
  readonly not: CanonicalCall
  readonly startsWith: CanonicalCall
  readonly endsWith: CanonicalCall
  readonly contains: CanonicalCall
  readonly tolower: CanonicalCall
  readonly any: Lambda
  readonly all: Lambda
  readonly call: (name: string, ...args: Parameters<CanonicalCall>) => Expression<never>
  readonly raw: (text: string) => Expression<never>
}

/** The format of all values, or of the values of each property. Undefined: quoted strings. */
type Formats = LiteralFormat | LiteralFormats | undefined

/** The formats of the values at a path. */
export const formatsAt = (formats: Formats, path: string): Formats =>
  path
    .split('/')
    .reduce<Formats>((at, name) => (typeof at === 'object' && Object.hasOwn(at, name) ? at[name] : undefined), formats)

/**
 * Creates a filter builder. In a lambda, `prefix` is the variable and a slash, and `$it` is the item itself. Functions
 * are written like the members, `startsWith`: in OData 4.01, function names are case-insensitive.
 */
export const filterBuilder = (formats?: Formats, prefix = ''): AnyFilterBuilder => {
  const textOf = (operand: PathOrExpression): string =>
    typeof operand === 'string' ? (prefix + operand).replace('/$it', '') : operand.text
  const operator =
    (name: string): Operator =>
    (left, right) => ({
      // An expression isn't a path, so it has no format.
      text: `${textOf(left)} ${name} ${literal(right, formatsAt(formats, String(left)))}`,
    })
  const connective =
    (name: string): Connective =>
    (...filters) => ({ text: `(${filters.map(textOf).join(` ${name} `)})` })
  const call =
    (name: string): CanonicalCall =>
    (operand, ...more) => ({ text: `${name}(${[textOf(operand), ...more.map(value => literal(value))].join()})` })
  const lambda =
    (name: string): Lambda =>
    (collection, predicate) => {
      const variable = `${prefix}x`.replace('/', '')
      const inner = predicate?.(filterBuilder(formatsAt(formats, collection), `${variable}/`)).text
      return { text: `${textOf(collection)}/${name}(${inner ? `${variable}:${inner}` : ''})` }
    }
  return {
    eq: operator('eq'),
    ne: operator('ne'),
    gt: operator('gt'),
    ge: operator('ge'),
    lt: operator('lt'),
    le: operator('le'),
    in: operator('in'),
    has: operator('has'),
    and: connective('and'),
    or: connective('or'),
    not: call('not '),
    startsWith: call('startsWith'),
    endsWith: call('endsWith'),
    contains: call('contains'),
    tolower: call('tolower'),
    any: lambda('any'),
    all: lambda('all'),
    call: (name, ...args) => call(name)(...args),
    raw: text => ({ text }),
  }
}
