import type { ComputeItem, ExpandItem, OrderbyItem, QueryOptions, SelectItem } from './ast.js'
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
} from './print-context.js'
import { printExpression } from './print-expression.js'
import { printSearchAt } from './print-search.js'

/**
 * The query string of the options, percent-encoded and without `?`; empty when there are none. The options stand in the
 * order in which a service applies them, aliases last. A space becomes `%20`.
 *
 * @throws {PrintError} when no text stands for one of the options
 * @see OData 4.01 URL Conventions, 5
 */
export function printQueryOptions(options: QueryOptions): string {
  if (options.levels !== undefined) throw new PrintError('$levels can only stand within $expand.')
  return printFromRoot(place =>
    printOptions(options, place)
      .map(([name, value]) => `${encodePercent(name)}=${encodeValue(name, value)}`)
      .join('&'),
  )
}

function encodeValue(name: string, value: string): string {
  if (value === '') throw new PrintError(`${name} has no value; leave the option out instead.`)
  return encodePercent(value)
}

/**
 * The options by name and text, in the order in which a service applies them; those that shape the result come last.
 *
 * @see OData 4.01 Protocol, 11.2.1
 */
function printOptions(options: QueryOptions, place: PrintContext): readonly (readonly [name: string, value: string])[] {
  const { compute, search, filter, count, orderby, skip, top, expand, select, levels, format, skiptoken, deltatoken } =
    options
  const parts: (readonly [string, string | undefined])[] = [
    ['$compute', compute && printComputeAt(compute, place)],
    ['$search', search && printSearchAt(search, place)],
    ['$filter', filter && printExpression(filter, place)],
    ['$count', count === undefined ? undefined : String(count)],
    ['$orderby', orderby && printOrderbyAt(orderby, place)],
    ['$skip', skip === undefined ? undefined : printInteger('$skip', skip, 0)],
    ['$top', top === undefined ? undefined : printInteger('$top', top, 0)],
    ['$expand', expand && printExpandAt(expand, place)],
    ['$select', select && printSelectAt(select, place)],
    ['$levels', levels === undefined || levels === 'max' ? levels : printInteger('$levels', levels, 1)],
    ['$format', format],
    ['$skiptoken', skiptoken],
    ['$deltatoken', deltatoken],
  ]
  for (const [name, value] of Object.entries(options.aliases ?? {})) {
    parts.push([`@${printIdentifier(name)}`, printExpression(value, place)])
  }
  return parts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

function printInteger(option: string, value: number, least: number): string {
  if (Number.isSafeInteger(value) && value >= least) return String(value)
  throw new PrintError(`${option} is ${value}, but has to be an integer from ${least} to ${Number.MAX_SAFE_INTEGER}.`)
}

/** `($filter=…;$top=5)`, or nothing when no option is given. @throws {PrintError} for one that is not allowed there */
export function printNestedOptions(options: QueryOptions, allowed: NestedOptionNames, place: PrintContext): string {
  const parts = printOptions(options, { ...oneLevelDeeper(place), nested: true })
  for (const [name] of parts) {
    const isAllowed = name.startsWith('@') ? allowed.aliases : allowed.names.some(option => name === `$${option}`)
    if (!isAllowed) throw new PrintError(`${name} cannot stand in these parentheses.`)
  }
  return parts.length === 0 ? '' : `(${parts.map(([name, value]) => `${name}=${value}`).join(';')})`
}

/** An `$orderby`, not percent-encoded; `asc` is left out. @throws {PrintError} @see OData 4.01 URL Conventions, 5.1.5 */
export function printOrderby(items: readonly OrderbyItem[]): string {
  return printFromRoot(place => printOrderbyAt(items, place))
}

function printOrderbyAt(items: readonly OrderbyItem[], place: PrintContext): string {
  return printItems('$orderby', items, ({ expression, direction }) => {
    const key = printExpression(expression, place)
    return direction === 'desc' ? `${key} desc` : key
  })
}

/** A `$select`, not percent-encoded. @throws {PrintError} @see OData 4.01 URL Conventions, 5.1.4 */
export function printSelect(items: readonly SelectItem[]): string {
  return printFromRoot(place => printSelectAt(items, place))
}

function printSelectAt(items: readonly SelectItem[], place: PrintContext): string {
  return printItems('$select', items, item => printSelectItem(item, place))
}

function printSelectItem({ path, options }: SelectItem, place: PrintContext): string {
  const isStar = path.length === 1 && path[0] === '*'
  const last = path.at(-1)
  const allowed =
    isStar || (last !== undefined && path.every((name, index) => isSelectName(name, index === path.length - 1)))
  if (!allowed) throw new PrintError(`${JSON.stringify(path)} is no path of $select.`)
  const mayHaveOptions = !isStar && !last?.endsWith(')')
  if (options !== undefined && !mayHaveOptions) throw new PrintError(`${path.join('/')} takes no options in $select.`)
  return `${path.join('/')}${options === undefined ? '' : requireOptions(printNestedOptions(options, selectOptions, place), path)}`
}

/** Empty parentheses are no options. */
function requireOptions(options: string, path: readonly string[]): string {
  if (options === '') throw new PrintError(`The options of ${path.join('/')} are empty; leave them out instead.`)
  return options
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

/** Whether a name is `@ns.term`, perhaps with `#qualifier`. */
function isAnnotationName(name: string): boolean {
  if (!name.startsWith('@')) return false
  const hash = name.indexOf('#')
  const term = hash === -1 ? name.slice(1) : name.slice(1, hash)
  return isNameOrQualified(term) && (hash === -1 || isIdentifier(name.slice(hash + 1)))
}

/** An `$expand`, not percent-encoded. @throws {PrintError} @see OData 4.01 URL Conventions, 5.1.3 */
export function printExpand(items: readonly ExpandItem[]): string {
  return printFromRoot(place => printExpandAt(items, place))
}

function printExpandAt(items: readonly ExpandItem[], place: PrintContext): string {
  return printItems('$expand', items, item => printExpandItem(item, place))
}

function printExpandItem({ path, suffix, options }: ExpandItem, place: PrintContext): string {
  const isValue = path.length === 1 && path[0] === '$value'
  const names = path.at(-1) === '*' ? path.slice(0, -1) : path
  const hasStar = names.length < path.length
  if (!isValue && (path.length === 0 || !names.every(isExpandName))) {
    throw new PrintError(`${JSON.stringify(path)} is no path of $expand.`)
  }
  if ((isValue && suffix !== undefined) || (hasStar && suffix === 'count')) {
    throw new PrintError(`${path.join('/')} cannot end with /$${suffix}.`)
  }
  const text = `${path.join('/')}${suffix === undefined ? '' : `/$${suffix}`}`
  if (options === undefined) return text
  if (isValue || (hasStar && suffix === 'ref')) throw new PrintError(`${text} takes no options in $expand.`)
  return `${text}${requireOptions(printNestedOptions(options, optionsOf(hasStar, suffix), place), path)}`
}

function isExpandName(name: string): boolean {
  return isIdentifier(name) || isQualifiedName(name) || isAnnotationName(name)
}

function optionsOf(hasStar: boolean, suffix: ExpandItem['suffix']): NestedOptionNames {
  if (hasStar) return starOptions
  return suffix === 'count' ? countOptions : suffix === 'ref' ? referenceOptions : expandOptions
}

/** A `$compute`, not percent-encoded. @throws {PrintError} @see OData 4.01 URL Conventions, 5.1.10 */
export function printCompute(items: readonly ComputeItem[]): string {
  return printFromRoot(place => printComputeAt(items, place))
}

function printComputeAt(items: readonly ComputeItem[], place: PrintContext): string {
  return printItems(
    '$compute',
    items,
    ({ expression, alias }) => `${printExpression(expression, place)} as ${printIdentifier(alias)}`,
  )
}

/** Characters of a query that `encodeURIComponent` encodes although they may stand as they are. */
const needless = /%(?:24|2C|3A|3D|40|2F|3F)/g

/**
 * Percent-encodes what has to be in the query of a URL: all but unreserved characters and `! $ ' ( ) * , : = @ / ?`. `+` and
 * `;` are encoded too, since there are services that take them for a space and for a separator.
 *
 * @throws {PrintError} for half of a surrogate pair, which has no UTF-8
 * @see RFC 3986, 3.4
 */
function encodePercent(text: string): string {
  try {
    return encodeURIComponent(text).replace(needless, decodeURIComponent)
  } catch {
    throw new PrintError(`${JSON.stringify(text)} holds half of a surrogate pair, which no URL can.`)
  }
}
