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

/** Query options during a parse. */
export type MutableOptions = { -readonly [Name in OptionName]?: QueryOptions[Name] } & {
  aliases?: Record<string, Expression>
}

/** Parses the value of one option and adds it to `options`. `nested`: in the parentheses of another option. */
export function parseOptionValue(cursor: Cursor, option: OptionName, options: MutableOptions, nested: boolean): void {
  switch (option) {
    case 'filter':
      options.filter = parseExpression(cursor)
      return
    case 'orderby':
      options.orderby = parseItems(cursor, parseOrderbyItem)
      return
    case 'select':
      options.select = parseItems(cursor, parseSelectItem)
      return
    case 'expand':
      options.expand = parseItems(cursor, parseExpandItem)
      return
    case 'search':
      options.search = parseSearchExpression(cursor, nested)
      return
    case 'compute':
      options.compute = parseItems(cursor, parseComputeItem)
      return
    case 'apply':
      if (cursor.transformations === undefined) fail(cursor, cursor.position, ['another option'])
      options.apply = cursor.transformations(cursor)
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

/** The options in the parentheses of an item of `$select` or `$expand`. */
function parseOptions(cursor: Cursor, allowed: NestedOptionNames): QueryOptions {
  const options: MutableOptions = {}
  parseNestedOptions(cursor, allowed, options, name => {
    if (name === 'aliases') parseNestedAlias(cursor, options)
    else parseOptionValue(cursor, name, options, true)
  })
  return options
}

function parseNestedAlias(cursor: Cursor, options: MutableOptions): void {
  const start = cursor.position
  cursor.position += 1
  const name = takeIdentifier(cursor, 'the name of an alias')
  if (!take(cursor, EQUALS)) fail(cursor, cursor.position, ['`=`'])
  addAlias(cursor, options, name, start)
}

/** Parses the value of the alias `@name`, which starts at `start`, and adds it to `options`. */
export function addAlias(cursor: Cursor, options: MutableOptions, name: string, start: number): void {
  const aliases: Record<string, Expression> = options.aliases ?? Object.create(null)
  if (Object.hasOwn(aliases, name)) fail(cursor, start, ['another alias'], `@${name} was given before.`)
  aliases[name] = parseExpression(cursor)
  options.aliases = aliases
}

/** A non-negative integer that a JavaScript number represents exactly. */
export function takeCount(cursor: Cursor): number {
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

/** What could continue the value of an option. */
const continuations: Readonly<Partial<Record<OptionName, readonly string[]>>> = {
  orderby: ['`asc`', '`desc`', '`,`'],
  select: ['`,`', '`/`', '`(`'],
  expand: ['`,`', '`/`', '`(`'],
  compute: ['`,`'],
  apply: ['`/`'],
  search: ['a word', '`"`', '`(`'],
}

/** Fails unless the value of an option, just parsed, ends the text. */
export function requireEndOfOption(cursor: Cursor, option: OptionName): void {
  if (option === 'search') skipWhitespace(cursor)
  const alternatives = continuations[option] ?? []
  if (option === 'filter' || option === 'orderby') requireEndOfExpression(cursor, alternatives)
  else requireEnd(cursor, alternatives)
}

/** One item or more, separated by commas, up to the first character that cannot continue them. */
export function parseItems<Item>(cursor: Cursor, parseItem: (cursor: Cursor) => Item): readonly Item[] {
  const items: Item[] = []
  do items.push(parseItem(cursor))
  while (takeSpaced(cursor, COMMA))
  return items
}

/**
 * The sort keys of an `$orderby`, percent-decoded: `receivedDateTime desc,subject`. The default direction is ascending.
 *
 * @throws {QuerySyntaxError} when the text breaks the grammar
 * @see OData 4.01 URL Conventions, 5.1.5
 */
export function parseOrderby(text: string): readonly OrderbyItem[] {
  const cursor = new Cursor(text, '$orderby')
  const items = parseItems(cursor, parseOrderbyItem)
  requireEndOfOption(cursor, 'orderby')
  return items
}

export function parseOrderbyItem(cursor: Cursor): OrderbyItem {
  const expression = parseExpression(cursor)
  return { expression, direction: parseDirection(cursor) }
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
  const items = parseItems(cursor, parseSelectItem)
  requireEndOfOption(cursor, 'select')
  return items
}

function parseSelectItem(cursor: Cursor): SelectItem {
  cursor.steps += 1
  if (take(cursor, STAR)) return { path: ['*'] }
  const path: string[] = []
  do path.push(takeSelectName(cursor))
  while (take(cursor, SLASH))
  if (cursor.text.charCodeAt(cursor.position) !== OPEN) return { path }
  if (startsOptions(cursor)) return { path, options: parseOptions(cursor, selectOptions) }
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

/** Whether the parentheses contain options, which start with `$`, an alias, or a name and `=`, rather than names of parameters. */
function startsOptions(cursor: Cursor): boolean {
  const { text } = cursor
  const start = whitespaceEnd(text, cursor.position + 1)
  const first = text.charCodeAt(start)
  return first === DOLLAR || first === AT || text.charCodeAt(identifierEnd(text, start)) === EQUALS
}

/** `(place,radius)`: an overload of a function. @see OData ABNF, `parameterNames` */
function takeParameterNames(cursor: Cursor): string {
  const names: string[] = []
  cursor.position += 1
  skipWhitespace(cursor)
  if (cursor.text.charCodeAt(cursor.position) === CLOSE) {
    fail(cursor, cursor.position, ['an option ($filter=...)', 'the name of a parameter'])
  }
  do names.push(takeIdentifier(cursor, 'an option ($filter=...) or the name of a parameter'))
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
  const items = parseItems(cursor, parseExpandItem)
  requireEndOfOption(cursor, 'expand')
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
  } while (suffix === undefined && canContinue(cursor, path) && take(cursor, SLASH))
  return {
    path,
    ...(suffix === undefined ? {} : { suffix }),
    ...(cursor.text.charCodeAt(cursor.position) === OPEN
      ? { options: parseOptions(cursor, optionsAllowed(cursor, path, suffix)) }
      : {}),
  }
}

/** Only `/$ref` can follow `*`. */
function canContinue(cursor: Cursor, path: readonly string[]): boolean {
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
  const items = parseItems(cursor, parseComputeItem)
  requireEndOfOption(cursor, 'compute')
  return items
}

export function parseComputeItem(cursor: Cursor): ComputeItem {
  const expression = parseExpression(cursor)
  const start = whitespaceEnd(cursor.text, cursor.position)
  if (start === cursor.position || !takeWord(cursor, start, 'as')) failAfterOperand(cursor, ['`as` and a name'])
  const name = whitespaceEnd(cursor.text, cursor.position)
  if (name === cursor.position) fail(cursor, name, ['a space and a name after `as`'])
  cursor.position = name
  return { expression, alias: takeIdentifier(cursor, 'the name of the computed property') }
}
