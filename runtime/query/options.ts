import type { ComputeItem, ExpandItem, Expression, OrderbyItem, QueryOptions, SelectItem } from './ast.js'
import {
  AT,
  CLOSE,
  COMMA,
  Cursor,
  DIGIT_0,
  DOLLAR,
  DOT,
  digitsEnd,
  EQUALS,
  fail,
  identifierEnd,
  OPEN,
  SLASH,
  STAR,
  skipWhitespace,
  take,
  takeClose,
  takeIdentifier,
  takeQualifiedRest,
  takeSpaced,
  takeWord,
  whitespaceEnd,
} from './cursor.js'
import { parseAnnotation, parseExpression } from './expressions.js'
import {
  countOptions,
  expandOptions,
  type NestedOptionNames,
  type OptionName,
  parseNestedOptions,
  referenceOptions,
  selectOptions,
  starOptions,
} from './nested-options.js'
import { failAfterOperand, requireEnd, requireEndOfExpression } from './operators.js'
import { parseSearchExpression } from './search.js'

/** Query options while they are collected. */
export type MutableOptions = { -readonly [Name in OptionName]?: QueryOptions[Name] } & {
  aliases?: Record<string, Expression>
}

/** Reads the value of one option, as far as it goes, and adds it. `nested`: within the parentheses of another option. */
export function parseOptionValue(cursor: Cursor, option: OptionName, options: MutableOptions, nested: boolean): void {
  switch (option) {
    case 'filter':
      options.filter = parseExpression(cursor)
      return
    case 'orderby':
      options.orderby = parseOrderbyItems(cursor)
      return
    case 'select':
      options.select = parseSelectItems(cursor)
      return
    case 'expand':
      options.expand = parseExpandItems(cursor)
      return
    case 'search':
      options.search = parseSearchExpression(cursor, nested)
      return
    case 'compute':
      options.compute = parseComputeItems(cursor)
      return
    case 'top':
      options.top = takeCount(cursor)
      return
    case 'skip':
      options.skip = takeCount(cursor)
      return
    case 'count':
      options.count = takeBoolean(cursor)
      return
    case 'levels':
      options.levels = takeLevels(cursor)
      return
    case 'format':
      options.format = takeRest(cursor)
      return
    case 'skiptoken':
      options.skiptoken = takeRest(cursor)
      return
    case 'deltatoken':
      options.deltatoken = takeRest(cursor)
  }
}

/** A non-negative integer that a number of JavaScript holds exactly. */
function takeCount(cursor: Cursor): number {
  const { text, position } = cursor
  const end = digitsEnd(text, position)
  const count = end === position ? Number.NaN : Number(text.slice(position, end))
  if (!Number.isSafeInteger(count)) fail(cursor, position, [`an integer from 0 to ${Number.MAX_SAFE_INTEGER}`])
  cursor.position = end
  return count
}

function takeBoolean(cursor: Cursor): boolean {
  const { position } = cursor
  if (takeWord(cursor, position, 'true')) return true
  if (takeWord(cursor, position, 'false')) return false
  return fail(cursor, position, ['`true`', '`false`'])
}

/** A positive integer without leading zeros, or `max`. @see OData ABNF, `levels` */
function takeLevels(cursor: Cursor): number | 'max' {
  if (takeWord(cursor, cursor.position, 'max')) return 'max'
  if (cursor.text.charCodeAt(cursor.position) === DIGIT_0) fail(cursor, cursor.position, ['an integer from 1', '`max`'])
  return takeCount(cursor)
}

function takeRest(cursor: Cursor): string {
  const rest = cursor.text.slice(cursor.position)
  if (rest === '') fail(cursor, cursor.position, ['a value'])
  cursor.position = cursor.text.length
  return rest
}

export const afterOrderbyExpression = ['`asc`', '`desc`', '`,`'] as const

/**
 * The sort keys of an `$orderby`, percent-decoded: `receivedDateTime desc,subject`. Without a direction a key ascends.
 *
 * @throws {QuerySyntaxError} when the text breaks the grammar
 * @see OData 4.01 URL Conventions, 5.1.5
 */
export function parseOrderby(text: string): readonly OrderbyItem[] {
  const cursor = new Cursor(text, '$orderby')
  const items = parseOrderbyItems(cursor)
  requireEndOfExpression(cursor, afterOrderbyExpression)
  return items
}

/** The keys up to the first character that cannot continue them. */
function parseOrderbyItems(cursor: Cursor): readonly OrderbyItem[] {
  const items: OrderbyItem[] = []
  do {
    const expression = parseExpression(cursor)
    items.push({ expression, direction: parseDirection(cursor) })
  } while (takeSpaced(cursor, COMMA))
  return items
}

function parseDirection(cursor: Cursor): OrderbyItem['direction'] {
  const start = whitespaceEnd(cursor.text, cursor.position)
  if (start === cursor.position) return 'asc'
  if (takeWord(cursor, start, 'desc')) return 'desc'
  takeWord(cursor, start, 'asc')
  return 'asc'
}

/**
 * The items of a `$select`, percent-decoded: `displayName,body/content,Addresses($top=5)`.
 *
 * @throws {QuerySyntaxError} when the text breaks the grammar
 * @see OData 4.01 URL Conventions, 5.1.4
 */
export function parseSelect(text: string): readonly SelectItem[] {
  const cursor = new Cursor(text, '$select')
  const items = parseSelectItems(cursor)
  requireEnd(cursor, ['`,`', '`/`', '`(`'])
  return items
}

/** The items up to the first character that cannot continue them. */
function parseSelectItems(cursor: Cursor): readonly SelectItem[] {
  const items: SelectItem[] = []
  do items.push(parseSelectItem(cursor))
  while (takeSpaced(cursor, COMMA))
  return items
}

function parseSelectItem(cursor: Cursor): SelectItem {
  cursor.steps += 1
  if (take(cursor, STAR)) return { path: ['*'] }
  const path: string[] = []
  do path.push(takeSelectName(cursor))
  while (take(cursor, SLASH))
  if (cursor.text.charCodeAt(cursor.position) !== OPEN) return { path }
  if (startsOptions(cursor)) return { path, options: parseNestedOptions(cursor, selectOptions) }
  path.push(`${path.pop()}${takeParameterNames(cursor)}`)
  return { path }
}

function takeSelectName(cursor: Cursor): string {
  if (cursor.text.charCodeAt(cursor.position) === AT) return takeAnnotationName(cursor)
  const name = takeQualifiedRest(cursor, takeIdentifier(cursor, 'the name of a property or `*`'))
  const { text, position } = cursor
  if (text.charCodeAt(position) !== DOT || text.charCodeAt(position + 1) !== STAR) return name
  cursor.position += 2
  return `${name}.*`
}

/** `@ns.term#qualifier`, as written. */
function takeAnnotationName(cursor: Cursor): string {
  const { term, qualifier } = parseAnnotation(cursor)
  return `@${term}${qualifier === undefined ? '' : `#${qualifier}`}`
}

/** Options begin with `$`, an alias, or a name before `=`; the names of parameters do not. */
function startsOptions(cursor: Cursor): boolean {
  const { text } = cursor
  const start = whitespaceEnd(text, cursor.position + 1)
  const first = text.charCodeAt(start)
  return first === DOLLAR || first === AT || text.charCodeAt(identifierEnd(text, start)) === EQUALS
}

/** `(place,radius)`: which overload of a function. @see OData ABNF, `parameterNames` */
function takeParameterNames(cursor: Cursor): string {
  const names: string[] = []
  cursor.position += 1
  skipWhitespace(cursor)
  if (cursor.text.charCodeAt(cursor.position) === CLOSE)
    fail(cursor, cursor.position, ['an option ($filter=…)', 'the name of a parameter'])
  do names.push(takeIdentifier(cursor, 'an option ($filter=…) or the name of a parameter'))
  while (takeSpaced(cursor, COMMA))
  takeClose(cursor, ['`,`'])
  return `(${names.join(',')})`
}

/**
 * The items of an `$expand`, percent-decoded: `manager($select=id;$expand=manager),memberOf/$count`.
 *
 * @throws {QuerySyntaxError} when the text breaks the grammar
 * @see OData 4.01 URL Conventions, 5.1.3
 */
export function parseExpand(text: string): readonly ExpandItem[] {
  const cursor = new Cursor(text, '$expand')
  const items = parseExpandItems(cursor)
  requireEnd(cursor, ['`,`', '`/`', '`(`'])
  return items
}

/** The items up to the first character that cannot continue them. */
export function parseExpandItems(cursor: Cursor): readonly ExpandItem[] {
  const items: ExpandItem[] = []
  do items.push(parseExpandItem(cursor))
  while (takeSpaced(cursor, COMMA))
  return items
}

function parseExpandItem(cursor: Cursor): ExpandItem {
  cursor.steps += 1
  if (takeSymbol(cursor, '$value')) return { path: ['$value'] }
  const path: string[] = []
  let suffix: ExpandItem['suffix']
  do {
    if (path.length > 0 && cursor.text.charCodeAt(cursor.position) === DOLLAR) {
      suffix = takeSuffix(cursor, path.at(-1) === '*')
    } else {
      path.push(takeExpandName(cursor))
    }
  } while (suffix === undefined && mayContinue(cursor, path) && take(cursor, SLASH))
  return {
    path,
    ...(suffix === undefined ? {} : { suffix }),
    ...(cursor.text.charCodeAt(cursor.position) === OPEN
      ? { options: parseNestedOptions(cursor, optionsAllowed(cursor, path, suffix)) }
      : {}),
  }
}

/** Behind `*` nothing but `/$ref` may follow. */
function mayContinue(cursor: Cursor, path: readonly string[]): boolean {
  return path.at(-1) !== '*' || cursor.text.startsWith('/$ref', cursor.position)
}

function takeExpandName(cursor: Cursor): string {
  if (take(cursor, STAR)) return '*'
  if (cursor.text.charCodeAt(cursor.position) === AT) return takeAnnotationName(cursor)
  return takeQualifiedRest(cursor, takeIdentifier(cursor, 'the name of a relation or `*`'))
}

function takeSuffix(cursor: Cursor, afterStar: boolean): 'ref' | 'count' {
  if (takeSymbol(cursor, '$ref')) return 'ref'
  if (!afterStar && takeSymbol(cursor, '$count')) return 'count'
  return fail(cursor, cursor.position, ['a name', '`$ref`', ...(afterStar ? [] : ['`$count`'])])
}

function takeSymbol(cursor: Cursor, symbol: string): boolean {
  if (!cursor.text.startsWith(symbol, cursor.position)) return false
  cursor.position += symbol.length
  return true
}

function optionsAllowed(cursor: Cursor, path: readonly string[], suffix: ExpandItem['suffix']): NestedOptionNames {
  if (suffix === 'count') return countOptions
  const star = path.at(-1) === '*'
  if (star && suffix === 'ref') fail(cursor, cursor.position, ['`,`', 'the end'])
  return star ? starOptions : suffix === 'ref' ? referenceOptions : expandOptions
}

/**
 * The computed properties of a `$compute`, percent-decoded: `price mul quantity as total`.
 *
 * @throws {QuerySyntaxError} when the text breaks the grammar
 * @see OData 4.01 URL Conventions, 5.1.10
 */
export function parseCompute(text: string): readonly ComputeItem[] {
  const cursor = new Cursor(text, '$compute')
  const items = parseComputeItems(cursor)
  requireEnd(cursor, ['`,`'])
  return items
}

/** The items up to the first character that cannot continue them. */
function parseComputeItems(cursor: Cursor): readonly ComputeItem[] {
  const items: ComputeItem[] = []
  do {
    const expression = parseExpression(cursor)
    const start = whitespaceEnd(cursor.text, cursor.position)
    if (start === cursor.position || !takeWord(cursor, start, 'as')) failAfterOperand(cursor, ['`as` and a name'])
    const name = whitespaceEnd(cursor.text, cursor.position)
    if (name === cursor.position) fail(cursor, name, ['a space and a name after `as`'])
    cursor.position = name
    items.push({ expression, alias: takeIdentifier(cursor, 'the name of the computed property') })
  } while (takeSpaced(cursor, COMMA))
  return items
}
