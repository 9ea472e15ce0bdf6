import type { AggregateItem, GroupingItem, Transformation } from '../ast.js'
import { isIdentifier, isQualifiedName } from '../cursor.js'
import { oneLevelDeeper, type PrintContext, PrintError, printIdentifier, printItems } from '../print-context.js'

/** The printers of what other options and transformations have in common. */
export interface OptionPrinters {
  readonly expression: (
    expression: Extract<Transformation, { kind: 'filter' }>['filter'],
    context: PrintContext,
  ) => string
  readonly search: (search: Extract<Transformation, { kind: 'search' }>['search'], context: PrintContext) => string
  readonly orderby: (items: Extract<Transformation, { kind: 'orderby' }>['orderby'], context: PrintContext) => string
  readonly compute: (items: Extract<Transformation, { kind: 'compute' }>['compute'], context: PrintContext) => string
  readonly count: (count: number) => string
}

/**
 * Prints transformations, separated by slashes.
 *
 * @throws {PrintError}
 * @see OData Extension for Data Aggregation 4.0, 3
 */
export function printTransformations(
  apply: readonly Transformation[],
  context: PrintContext,
  printers: OptionPrinters,
): string {
  if (apply.length === 0) throw new PrintError('$apply has no transformations. Omit the option instead.')
  return apply.map(step => printTransformation(step, context, printers)).join('/')
}

function printTransformation(step: Transformation, outer: PrintContext, printers: OptionPrinters): string {
  if (step.kind === 'identity') return step.kind
  const context = oneLevelDeeper(outer)
  const inside = (apply: readonly Transformation[]): string => printTransformations(apply, context, printers)
  switch (step.kind) {
    case 'filter':
      return `filter(${printers.expression(step.filter, context)})`
    case 'search':
      return `search(${printers.search(step.search, { ...context, nested: true })})`
    case 'orderby':
      return `orderby(${printers.orderby(step.orderby, context)})`
    case 'top':
    case 'skip':
      return `${step.kind}(${printers.count(step.count)})`
    case 'compute':
      return `compute(${printers.compute(step.compute, context)})`
    case 'aggregate':
      return `aggregate(${printItems('aggregate', step.aggregate, item => printAggregate(item, context, printers))})`
    case 'groupby': {
      const by = printItems('groupby', step.by, printGrouping)
      return `groupby((${by})${step.apply.length === 0 ? '' : `,${inside(step.apply)}`})`
    }
    case 'ranked': {
      const { end, by, amount, measure } = step
      return `${end}${by}(${printers.expression(amount, context)},${printers.expression(measure, context)})`
    }
    case 'concat':
      if (step.branches.length < 2) throw new PrintError('concat needs two sequences of transformations or more.')
      return `concat(${step.branches.map(inside).join(',')})`
  }
}

function printAggregate(
  { expression, method, alias }: AggregateItem,
  context: PrintContext,
  printers: OptionPrinters,
): string {
  const name = printIdentifier(alias)
  if (expression === undefined) {
    if (method !== 'count') throw new PrintError(`${method} needs an expression.`)
    return `$count as ${name}`
  }
  const text = printers.expression(expression, context)
  if (method !== 'count') return `${text} with ${method} as ${name}`
  if (expression.kind !== 'path' || expression.segments.at(-1)?.kind !== 'count') {
    throw new PrintError(`${text} does not end with $count.`)
  }
  return `${text} as ${name}`
}

function printGrouping(item: GroupingItem): string {
  if (item.kind === 'property') return printGroupingPath(item.path)
  const isNull = !item.total && item.paths[0]?.join('/').toLowerCase() === 'null'
  if (item.paths.length === 0 || isNull) throw new PrintError('rollup needs a path that is not called null.')
  return `rollup(${[...(item.total ? ['null'] : []), ...item.paths.map(printGroupingPath)].join(',')})`
}

function printGroupingPath(path: readonly string[]): string {
  if (path.length > 0 && path.every(name => isIdentifier(name) || isQualifiedName(name))) return path.join('/')
  throw new PrintError(`${JSON.stringify(path)} is not a path to group by.`)
}
