import type {
  AggregateItem,
  AggregationMethod,
  Expression,
  GroupingItem,
  QueryOptions,
  Transformation,
} from '../ast.js'
import {
  type BindingContext,
  type BindingError,
  type BindingScope,
  describeType,
  report,
  rootContext,
  type StaticType,
  untyped,
} from '../binding/context.js'
import { bindNode } from '../binding/expression.js'
import { checkBoolean, pathText } from '../binding/operators.js'
import { bindCompute, bindOrderby, isOrdered } from '../binding/query.js'
import { roundNumber } from '../evaluate/arithmetic.js'
import { orderValues, valueFor } from '../evaluate/evaluate.js'
import { EvaluationError, integer, isOfKind, type NumericValue, type Value } from '../evaluate/value.js'
import { isNumericTypeName } from '../primitive-types.js'
import { childExpressions, expandedSize, groupingPaths, pathOfNames, transformationExpressions } from '../traversal.js'
import { structuredTypeInfo, type TypeTable } from '../type-table.js'
import {
  groupings,
  keepsItems,
  propertiesOf,
  propertyOf,
  type RowProperty,
  rowsWith,
  type TransformedRows,
} from './rows.js'

/** Something that a query of transformations uses: an expression, and the items or rows that it is about. */
interface TransformationUse {
  readonly step: Transformation['kind']
  readonly expression: Expression
  readonly context: BindingContext
}

/** The result of `$apply`, to which all other options of the query apply. */
export interface BoundTransformations extends TransformedRows {
  /** The type table with the types of rows. */
  readonly types: TypeTable
  /** The type of the items or rows. */
  readonly typeName: string
  readonly errors: readonly BindingError[]
  readonly uses: readonly TransformationUse[]
}

/** The most transformations of one query, and how often they may repeat the rows altogether. */
const maxTransformations = 50
const maxCopies = 32
const maxSize = 20_000

/**
 * Checks the transformations of a query against the type of the items, and finds the type of the result. Never throws.
 *
 * @see OData Extension for Data Aggregation 4.0, 3
 */
export function bindTransformations(
  { apply = [], aliases = {} }: Pick<QueryOptions, 'apply' | 'aliases'>,
  types: TypeTable,
  typeName: string,
  scope: BindingScope = {},
): BoundTransformations {
  const context = { ...rootContext(types, typeName, scope, aliases), option: '$apply' }
  const uses: TransformationUse[] = []
  const start: TransformedRows = { context, compute: [] }
  const sizes = new Map<string, number>()
  const size = transformationExpressions(apply).reduce((sum, each) => sum + expandedSize(each, aliases, sizes), 0)
  const isTooLarge = transformationCount(apply) > maxTransformations || copiesOf(apply) > maxCopies || size > maxSize
  if (isTooLarge) {
    const message = `'$apply' may have ${maxTransformations} transformations and repeat the items ${maxCopies} times.`
    report(context, 'tooComplex', `${message} Write a smaller one.`)
  }
  const end = isTooLarge ? start : bindSequence(apply, start, [], use => uses.push(use))
  const { current } = end.context
  return {
    ...end,
    types: end.context.types,
    typeName: 'name' in current ? current.name : typeName,
    errors: context.state.errors,
    uses,
  }
}

function transformationCount(apply: readonly Transformation[]): number {
  return apply.reduce((sum, step) => {
    if (step.kind === 'groupby') return sum + 1 + transformationCount(step.apply) + groupings(step.by).length
    return (
      sum +
      1 +
      (step.kind === 'concat' ? step.branches.reduce((all, branch) => all + transformationCount(branch), 0) : 0)
    )
  }, 0)
}

/** How often the rows of the collection can occur in the result, and in the statement. */
function copiesOf(apply: readonly Transformation[]): number {
  return apply.reduce((product, step) => {
    if (step.kind === 'concat') return product * step.branches.reduce((sum, branch) => sum + copiesOf(branch), 0)
    if (step.kind !== 'groupby') return product
    const levels = step.by.reduce(
      (all, item) => all * (item.kind === 'rollup' ? item.paths.length + Number(item.total) : 1),
      1,
    )
    return product * Math.max(1, levels) * copiesOf(step.apply)
  }, 1)
}

type NoteUse = (use: TransformationUse) => void

/** @param groups the properties of the groups that the sequence applies to */
function bindSequence(
  apply: readonly Transformation[],
  start: TransformedRows,
  groups: readonly RowProperty[],
  note: NoteUse,
): TransformedRows {
  return apply.reduce((rows, step) => bindTransformation(step, rows, groups, note), start)
}

/** What a transformation gives. Reports its errors. */
export function bindTransformation(
  step: Transformation,
  rows: TransformedRows,
  groups: readonly RowProperty[] = [],
  note: NoteUse = () => undefined,
): TransformedRows {
  const { context } = rows
  const use = (...expressions: readonly Expression[]): void => {
    for (const expression of expressions) note({ step: step.kind, expression, context })
  }
  switch (step.kind) {
    case 'filter':
      use(step.filter)
      checkBoolean(bindNode(step.filter, context), 'The condition of filter', context)
      return rows
    case 'orderby':
      use(...step.orderby.map(({ expression }) => expression))
      bindOrderby(step.orderby, context)
      return rows
    case 'search':
      if (!isOfItems(rows))
        report(
          context,
          'notApplicable',
          "'search' finds items of the collection, not rows that other transformations made.",
        )
      return rows
    case 'compute': {
      use(...step.compute.map(({ expression }) => expression))
      const computed = bindCompute(step.compute, context)
      if (isOfItems(rows)) {
        return { context: { ...context, computed }, compute: [...rows.compute, ...step.compute] }
      }
      const own = propertiesOf({ ...rows, context: { ...context, computed: new Map() } })
      return rowsWith(
        [...own, ...[...computed].map(([name, type]): RowProperty => [[name], propertyOf(type)])],
        context,
      )
    }
    case 'aggregate':
      for (const { expression } of step.aggregate) if (expression !== undefined) use(expression)
      return rowsWith(
        [...groups, ...step.aggregate.map(item => aggregated(item, step.aggregate, rows, groups))],
        context,
      )
    case 'groupby':
      use(...groupingPaths(step.by).map(pathOfNames))
      return bindGroupby(step, rows, groups, note)
    case 'ranked':
      use(step.amount, step.measure)
      bindRanked(step, context)
      return rows
    case 'concat':
      return concatenated(
        step.branches.map(branch => bindSequence(branch, rows, groups, note)),
        rows,
      )
    default:
      return rows
  }
}

function isOfItems({ context }: TransformedRows): boolean {
  return context.current.kind === 'entity'
}

type Ranking = Extract<Transformation, { kind: 'ranked' }>

/** @see OData Extension for Data Aggregation 4.0, 3.3.1 (top and bottom transformations) */
function bindRanked({ end, by, amount, measure }: Ranking, context: BindingContext): void {
  const name = `${end}${by}`
  const given = bindNode(amount, context)
  if (!isNumericOrUnknown(given) || refersToItem(amount)) {
    report(context, 'invalidArgument', `'${name}' takes a number first, but found ${describeType(given)}.`)
  } else if (!isAmount(by, amount, context)) {
    report(context, 'invalidArgument', `'${name}' takes ${amounts[by]} first. Change the number.`)
  }
  const type = bindNode(measure, context)
  if (by === 'count' ? isOrdered(type) : isNumericOrUnknown(type)) return
  const expected = by === 'count' ? 'a value that has an order' : 'a number'
  report(context, 'invalidArgument', `'${name}' needs ${expected}, but found ${describeType(type)}.`, pathText(measure))
}

const amounts: Readonly<Record<Ranking['by'], string>> = {
  count: 'a positive integer',
  percent: 'a number above 0 and up to 100',
  sum: 'a number',
}

/**
 * Whether an expression without paths has a value that a ranking can take. A value that cannot be computed here is left to the
 * evaluation.
 */
function isAmount(by: Ranking['by'], amount: Expression, { types, aliases }: BindingContext): boolean {
  let value: Value
  try {
    value = valueFor(amount, {}, { types, aliases })
  } catch (error) {
    if (error instanceof EvaluationError) return true
    throw error
  }
  if (by === 'sum') return value !== null
  const isPositive = orderValues(value, integer(0), { types }) > 0
  if (by === 'percent') return isPositive && orderValues(value, integer(100), { types }) <= 0
  return isPositive && isNumericAmount(value) && orderValues(value, roundNumber('floor', value), { types }) === 0
}

function isNumericAmount(value: Value): value is NumericValue {
  return value !== null && (isOfKind(value, 'integer') || isOfKind(value, 'decimal') || isOfKind(value, 'double'))
}

function refersToItem(expression: Expression): boolean {
  return expression.kind === 'path' || childExpressions(expression).some(refersToItem)
}

function isNumericOrUnknown(type: StaticType): boolean {
  return type.kind === 'untyped' || type.kind === 'null' || (type.kind === 'primitive' && isNumericTypeName(type.name))
}

/** The property that an item of `aggregate` adds. */
function aggregated(
  { expression, method, alias }: AggregateItem,
  all: readonly AggregateItem[],
  { context }: TransformedRows,
  groups: readonly RowProperty[],
): RowProperty {
  const isTaken =
    groups.some(([[first]]) => first === alias) ||
    all.filter(item => item.alias === alias).length > 1 ||
    isDeclared(alias, context.it, context.types)
  if (isTaken)
    report(context, 'duplicate', `The name '${alias}' of an aggregated property is taken. Choose another.`, alias)
  const type = expression === undefined ? untyped : bindNode(expression, context)
  return [[alias], { type: resultType(method, type, expression, context) }]
}

function isDeclared(name: string, type: StaticType, types: TypeTable): boolean {
  const info = 'name' in type ? structuredTypeInfo(type.name, types) : undefined
  return info !== undefined && (Object.hasOwn(info.properties, name) || Object.hasOwn(info.navigation, name))
}

/** @see OData Extension for Data Aggregation 4.0, 3.2.1.3 (aggregation methods) */
function resultType(
  method: AggregationMethod,
  type: StaticType,
  expression: Expression | undefined,
  context: BindingContext,
): string {
  switch (method) {
    case 'count':
      return 'Edm.Decimal'
    case 'countdistinct':
      requireKind(method, isSingle(type), 'a single value', type, expression, context)
      return 'Edm.Decimal'
    case 'min':
    case 'max':
      requireKind(method, isOrdered(type), 'a value that has an order', type, expression, context)
      return propertyOf(type).type
    default: {
      requireKind(method, isNumericOrUnknown(type), 'a number', type, expression, context)
      const name = type.kind === 'primitive' ? type.name : 'Edm.Decimal'
      return name === 'Edm.Double' || name === 'Edm.Single' ? 'Edm.Double' : 'Edm.Decimal'
    }
  }
}

function isSingle(type: StaticType): boolean {
  return isOrdered(type) || type.kind === 'primitive'
}

function requireKind(
  method: AggregationMethod,
  isValid: boolean,
  expected: string,
  type: StaticType,
  expression: Expression | undefined,
  context: BindingContext,
): void {
  if (isValid) return
  const message = `'${method}' needs ${expected}, but found ${describeType(type)}.`
  report(context, 'invalidArgument', message, expression === undefined ? undefined : pathText(expression))
}

function bindGroupby(
  { by, apply }: Extract<Transformation, { kind: 'groupby' }>,
  rows: TransformedRows,
  groups: readonly RowProperty[],
  note: NoteUse,
): TransformedRows {
  const types = new Map(groupingPaths(by).map(path => [path.join('/'), groupingType(path, rows.context)]))
  checkRepeated(by, rows.context)
  const levels = groupings(by).map(paths => {
    const own = paths.map((path): RowProperty => [path, propertyOf(types.get(path.join('/')) ?? untyped)])
    const all = [...groups, ...own]
    return apply.length === 0 ? rowsWith(all, rows.context) : bindSequence(apply, rows, all, note)
  })
  if (levels.length === 1) return levels[0] ?? rows
  return keepsItems(apply) && apply.length > 0 ? (levels[0] ?? rows) : united(levels, rows.context)
}

function checkRepeated(by: readonly GroupingItem[], context: BindingContext): void {
  const seen = new Set<string>()
  for (const path of groupingPaths(by)) {
    const text = path.join('/')
    const member = path.filter(name => !name.includes('.')).join('/')
    if (seen.has(member)) report(context, 'duplicate', `'${member}' appears twice in 'groupby'. Write it once.`, text)
    seen.add(member)
  }
}

/** Items are grouped by single values. */
function groupingType(path: readonly string[], context: BindingContext): StaticType {
  const type = bindNode(pathOfNames(path), context)
  const isValue =
    type.kind === 'untyped' || type.kind === 'enum' || (type.kind === 'primitive' && type.name !== 'Edm.Stream')
  if (isValue) return type
  const text = path.join('/')
  report(context, 'notAValue', `'groupby' needs single values, but '${text}' is ${describeType(type)}.`, text)
  return untyped
}

function concatenated(branches: readonly TransformedRows[], rows: TransformedRows): TransformedRows {
  return united(branches, rows.context)
}

/** Rows that have the properties of all. */
function united(all: readonly TransformedRows[], context: BindingContext): TransformedRows {
  const properties = new Map<string, RowProperty>()
  for (const rows of all) {
    for (const property of propertiesOf(rows)) {
      const [path, { type }] = property
      const known = properties.get(path.join('/'))
      if (known !== undefined && known[1].type !== type) {
        const name = path.join('/')
        report(
          context,
          'incompatibleTypes',
          `'${name}' has different types in the parts of 'concat'. Name them differently.`,
          name,
        )
      }
      properties.set(path.join('/'), property)
    }
  }
  const types = Object.assign({}, ...all.map(rows => rows.context.types))
  return rowsWith([...properties.values()], { ...context, types })
}
