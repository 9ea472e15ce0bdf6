import type { Expression, Filter } from './filter-builder.js'
import { type LiteralFormat, type LiteralFormats, literal } from './literal.js'

type Operand = string | Expression<unknown>
type Formats = LiteralFormat | LiteralFormats | undefined

/** The filter builder as it runs: of any type, with every member. */
export interface AnyFilterBuilder
  extends Readonly<Record<ComparisonName, Comparison>>,
    Readonly<Record<FunctionName, Call>> {
  in(left: Operand, values: readonly unknown[]): Filter
  and(...filters: readonly Filter[]): Filter
  or(...filters: readonly Filter[]): Filter
  not(filter: Filter): Filter
  any(collection: string, predicate?: (item: AnyFilterBuilder) => Filter): Filter
  all(collection: string, predicate?: (item: AnyFilterBuilder) => Filter): Filter
  raw(text: string): Expression<never>
}

type ComparisonName = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le' | 'has'
type Comparison = (left: Operand, right: unknown) => Filter
type FunctionName = 'startsWith' | 'endsWith' | 'contains'
type Call = (left: Operand, text: string) => Filter

const formatAt = (formats: Formats, path: string): Formats =>
  path === '$it'
    ? formats
    : path
        .split('/')
        .reduce<Formats>(
          (at, name) => (typeof at === 'object' && Object.hasOwn(at, name) ? at[name] : undefined),
          formats,
        )

/** Inside a lambda, `variable` is the item: paths start there, and `$it` is the item itself. */
export const filterBuilder = (formats?: Formats, variable = ''): AnyFilterBuilder => {
  const path = (of: string): string => (!variable ? of : of === '$it' ? variable : `${variable}/${of}`)
  const operand = (of: Operand): string => (typeof of === 'string' ? path(of) : of.text)
  const format = (of: Operand): LiteralFormat | undefined => {
    const found = typeof of === 'string' ? formatAt(formats, of) : undefined
    return typeof found === 'function' ? found : undefined
  }
  const compare =
    (operator: ComparisonName): Comparison =>
    (left, right) => ({ text: `${operand(left)} ${operator} ${literal(right, format(left))}` })
  const call =
    (name: string) =>
    (...args: [of: Operand, text?: string]) => ({
      text: `${name}(${operand(args[0])}${args.length > 1 ? `,${literal(args[1])}` : ''})`,
    })
  const join =
    (operator: string) =>
    (...filters: readonly Filter[]) => ({ text: `(${filters.map(filter => filter.text).join(operator)})` })
  const lambda = (name: string) => (collection: string, predicate?: (item: AnyFilterBuilder) => Filter) => {
    const item = `${variable}x`
    const found = formatAt(formats, collection)
    return {
      text: `${path(collection)}/${name}(${predicate ? `${item}:${predicate(filterBuilder(found, item)).text}` : ''})`,
    }
  }
  return {
    eq: compare('eq'),
    ne: compare('ne'),
    gt: compare('gt'),
    ge: compare('ge'),
    lt: compare('lt'),
    le: compare('le'),
    has: compare('has'),
    in: (left, values) => ({
      text: `${operand(left)} in (${values.map(value => literal(value, format(left))).join()})`,
    }),
    and: join(' and '),
    or: join(' or '),
    not: filter => ({ text: `not (${filter.text})` }),
    startsWith: call('startswith'),
    endsWith: call('endswith'),
    contains: call('contains'),
    any: lambda('any'),
    all: lambda('all'),
    raw: text => ({ text }),
  }
}
