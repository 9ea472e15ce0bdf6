import type {
  AggregateItem,
  ComputeItem,
  ExpandItem,
  GroupingItem,
  OrderbyItem,
  QueryOptions,
  SelectItem,
  Transformation,
} from './ast.js'
import { isIdentifier, isQualifiedName } from './cursor.js'
import {
  countOptions,
  expandOptions,
  type NestedOptionNames,
  referenceOptions,
  selectOptions,
  starOptions,
} from './nested-options.js'
import {
  oneLevelDeeper,
  type PrintContext,
  PrintError,
  printFromRoot,
  printIdentifier,
  printItems,
  printSearchAt,
} from './print-context.js'
import { printExpression } from './print-expression.js'

/** The printers of what other options and transformations have in common. */
interface OptionPrinters {
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
function printTransformations(
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

/**
 * Prints the options as a query string, percent-encoded and without `?`. The options are in the order in which a service
 * applies them, and aliases are last. A space becomes `%20`.
 *
 * @throws {PrintError} when no text represents an option
 * @see OData 4.01 URL Conventions, 5
 */
export function printQueryOptions(options: QueryOptions): string {
  if (options.levels !== undefined) throw new PrintError('$levels is allowed only in $expand.')
  return printFromRoot(context =>
    printOptions(options, context)
      .map(([name, value]) => `${encodePercent(name)}=${encodeValue(name, value)}`)
      .join('&'),
  )
}

function encodeValue(name: string, value: string): string {
  if (value === '') throw new PrintError(`${name} has no value. Omit the option instead.`)
  return encodePercent(value)
}

/**
 * The options by name and text, in the order in which a service applies them. Options that shape the result come last.
 *
 * @see OData 4.01 Protocol, 11.2.1
 */
function printOptions(
  options: QueryOptions,
  context: PrintContext,
): readonly (readonly [name: string, value: string])[] {
  const {
    apply,
    compute,
    search,
    filter,
    count,
    orderby,
    skip,
    top,
    expand,
    select,
    levels,
    format,
    skiptoken,
    deltatoken,
  } = options
  const parts: (readonly [string, string | undefined])[] = [
    ['$apply', apply && printTransformations(apply, context, optionPrinters)],
    ['$compute', compute && printComputeAt(compute, context)],
    ['$search', search && printSearchAt(search, context)],
    ['$filter', filter && printExpression(filter, context)],
    ['$count', count === undefined ? undefined : String(count)],
    ['$orderby', orderby && printOrderbyAt(orderby, context)],
    ['$skip', skip === undefined ? undefined : printInteger('$skip', skip, 0)],
    ['$top', top === undefined ? undefined : printInteger('$top', top, 0)],
    ['$expand', expand && printExpandAt(expand, context)],
    ['$select', select && printSelectAt(select, context)],
    ['$levels', levels === undefined ? undefined : levels === 'max' ? 'max' : printInteger('$levels', levels, 1)],
    ['$format', format],
    ['$skiptoken', skiptoken],
    ['$deltatoken', deltatoken],
  ]
  for (const [name, value] of Object.entries(options.aliases ?? {})) {
    parts.push([`@${printIdentifier(name)}`, printExpression(value, context)])
  }
  return parts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

function printInteger(option: string, value: number, least: number): string {
  if (Number.isSafeInteger(value) && value >= least) return String(value)
  throw new PrintError(`${option} is ${value}, but must be an integer from ${least} to ${Number.MAX_SAFE_INTEGER}.`)
}

/** `($filter=...;$top=5)`. @throws {PrintError} for an option that is not allowed, or without options */
function printNestedOptions(
  options: QueryOptions,
  allowed: NestedOptionNames,
  path: string,
  context: PrintContext,
): string {
  const parts = printOptions(options, { ...oneLevelDeeper(context), nested: true })
  for (const [name] of parts) {
    const isAllowed = name.startsWith('@') ? allowed.aliases : allowed.names.some(option => name === `$${option}`)
    if (!isAllowed) throw new PrintError(`${name} is not allowed in these parentheses.`)
  }
  if (parts.length === 0) throw new PrintError(`The options of ${path} are empty. Omit them instead.`)
  return `(${parts.map(([name, value]) => `${name}=${value}`).join(';')})`
}

/** Prints an `$orderby` without percent-encoding and without `asc`. @throws {PrintError} @see OData 4.01 URL Conventions, 5.1.5 */
export function printOrderby(items: readonly OrderbyItem[]): string {
  return printFromRoot(context => printOrderbyAt(items, context))
}

function printOrderbyAt(items: readonly OrderbyItem[], context: PrintContext): string {
  return printItems('$orderby', items, ({ expression, direction }) => {
    const key = printExpression(expression, context)
    return direction === 'desc' ? `${key} desc` : key
  })
}

/** Prints a `$select` without percent-encoding. @throws {PrintError} @see OData 4.01 URL Conventions, 5.1.4 */
export function printSelect(items: readonly SelectItem[]): string {
  return printFromRoot(context => printSelectAt(items, context))
}

function printSelectAt(items: readonly SelectItem[], context: PrintContext): string {
  return printItems('$select', items, item => printSelectItem(item, context))
}

function printSelectItem({ path, options }: SelectItem, context: PrintContext): string {
  const isStar = path.length === 1 && path[0] === '*'
  const last = path.at(-1)
  const allowed =
    isStar || (last !== undefined && path.every((name, index) => isSelectName(name, index === path.length - 1)))
  if (!allowed) throw new PrintError(`${JSON.stringify(path)} is not a path of $select.`)
  const mayHaveOptions = !isStar && !last?.endsWith(')')
  if (options !== undefined && !mayHaveOptions) throw new PrintError(`${path.join('/')} takes no options in $select.`)
  const text = path.join('/')
  return options === undefined ? text : `${text}${printNestedOptions(options, selectOptions, text, context)}`
}

function isSelectName(name: string, isLast: boolean): boolean {
  if (isIdentifier(name) || isQualifiedName(name) || isAnnotationName(name)) return true
  if (name.endsWith('.*')) return isNameOrQualified(name.slice(0, -2))
  const open = name.indexOf('(')
  const overload = open > 0 && name.endsWith(')') && isNameOrQualified(name.slice(0, open))
  return (
    isLast &&
    overload &&
    name
      .slice(open + 1, -1)
      .split(',')
      .every(isIdentifier)
  )
}

function isNameOrQualified(name: string): boolean {
  return isIdentifier(name) || isQualifiedName(name)
}

/** Whether a name is `@ns.term` or `@ns.term#qualifier`. */
function isAnnotationName(name: string): boolean {
  if (!name.startsWith('@')) return false
  const hash = name.indexOf('#')
  const term = hash === -1 ? name.slice(1) : name.slice(1, hash)
  return isNameOrQualified(term) && (hash === -1 || isIdentifier(name.slice(hash + 1)))
}

/** Prints an `$expand` without percent-encoding. @throws {PrintError} @see OData 4.01 URL Conventions, 5.1.3 */
export function printExpand(items: readonly ExpandItem[]): string {
  return printFromRoot(context => printExpandAt(items, context))
}

function printExpandAt(items: readonly ExpandItem[], context: PrintContext): string {
  return printItems('$expand', items, item => printExpandItem(item, context))
}

function printExpandItem({ path, suffix, options }: ExpandItem, context: PrintContext): string {
  const isValue = path.length === 1 && path[0] === '$value'
  const names = path.at(-1) === '*' ? path.slice(0, -1) : path
  const hasStar = names.length < path.length
  if (!isValue && (path.length === 0 || !names.every(isExpandName))) {
    throw new PrintError(`${JSON.stringify(path)} is not a path of $expand.`)
  }
  if ((isValue && suffix !== undefined) || (hasStar && suffix === 'count')) {
    throw new PrintError(`${path.join('/')} cannot end with /$${suffix}.`)
  }
  const text = `${path.join('/')}${suffix === undefined ? '' : `/$${suffix}`}`
  if (options === undefined) return text
  if (isValue || (hasStar && suffix === 'ref')) throw new PrintError(`${text} takes no options in $expand.`)
  return `${text}${printNestedOptions(options, optionsOf(hasStar, suffix), text, context)}`
}

function isExpandName(name: string): boolean {
  return isIdentifier(name) || isQualifiedName(name) || isAnnotationName(name)
}

function optionsOf(hasStar: boolean, suffix: ExpandItem['suffix']): NestedOptionNames {
  if (hasStar) return starOptions
  return suffix === 'count' ? countOptions : suffix === 'ref' ? referenceOptions : expandOptions
}

/** Prints a `$compute` without percent-encoding. @throws {PrintError} @see OData 4.01 URL Conventions, 5.1.10 */
export function printCompute(items: readonly ComputeItem[]): string {
  return printFromRoot(context => printComputeAt(items, context))
}

function printComputeAt(items: readonly ComputeItem[], context: PrintContext): string {
  return printItems(
    '$compute',
    items,
    ({ expression, alias }) => `${printExpression(expression, context)} as ${printIdentifier(alias)}`,
  )
}

/** Prints an `$apply` without percent-encoding. @throws {PrintError} @see OData Extension for Data Aggregation 4.0, 3 */
export function printApply(apply: readonly Transformation[]): string {
  return printFromRoot(context => printTransformations(apply, context, optionPrinters))
}

const optionPrinters: OptionPrinters = {
  expression: printExpression,
  search: printSearchAt,
  orderby: printOrderbyAt,
  compute: printComputeAt,
  count: count => printInteger('$apply', count, 0),
}

/** Characters that `encodeURIComponent` encodes although a query can contain them. */
const unnecessary = /%(?:24|2C|3A|3D|40|2F|3F)/g

/**
 * Percent-encodes everything except unreserved characters and `! $ ' ( ) * , : = @ / ?`. Some services read `+` as a space and
 * `;` as a separator, so these are encoded too.
 *
 * @throws {PrintError} for half of a surrogate pair, which has no UTF-8
 * @see RFC 3986, 3.4
 */
function encodePercent(text: string): string {
  try {
    return encodeURIComponent(text).replace(unnecessary, decodeURIComponent)
  } catch {
    throw new PrintError(`${JSON.stringify(text)} contains half of a surrogate pair, which a URL cannot represent.`)
  }
}
