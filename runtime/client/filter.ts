import type { Expression, Filter } from './filter-builder.js'
import { type LiteralFormat, type LiteralFormats, literal } from './literal.js'

type PathOrExpression = string | Expression<unknown>
type Operator = (left: PathOrExpression, right: unknown) => Filter
type CanonicalCall = (operand: PathOrExpression, ...more: readonly unknown[]) => Expression<never>
type Connective = (...filters: readonly Filter[]) => Filter
type Lambda = (collection: string, predicate?: (item: AnyFilterBuilder) => Filter) => Filter

/** The filter builder as it runs: for any type, with every member of `FilterBuilder`. */
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

/** How the values of a type are written, by property, or all of them; undefined: as strings. */
type Formats = LiteralFormat | LiteralFormats | undefined

/** The formats of what stands at a path. */
export const formatsAt = (formats: Formats, path: string): Formats =>
  path
    .split('/')
    .reduce<Formats>((at, name) => (typeof at === 'object' && Object.hasOwn(at, name) ? at[name] : undefined), formats)

/**
 * A filter builder; in a lambda, `prefix` is the variable and a slash, and `$it` the item itself. Functions are spelt like
 * their members, `startsWith`: OData 4.01 takes names in any letter case.
 */
export const filterBuilder = (formats?: Formats, prefix = ''): AnyFilterBuilder => {
  const textOf = (operand: PathOrExpression): string =>
    typeof operand === 'string' ? (prefix + operand).replace('/$it', '') : operand.text
  const operator =
    (name: string): Operator =>
    (left, right) => ({
      // An expression is no path, so that nothing is found for it.
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
