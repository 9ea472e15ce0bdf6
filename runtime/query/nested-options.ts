import type { Expression, QueryOptions } from './ast.js'
import {
  AT,
  CLOSE,
  type Cursor,
  DOLLAR,
  EQUALS,
  enter,
  fail,
  identifierEnd,
  SEMICOLON,
  skipWhitespace,
  take,
  takeIdentifier,
  takeSpaced,
  whitespaceEnd,
} from './cursor.js'
import { parseExpression } from './expressions.js'
import { failAfterOperand } from './operators.js'
import { type MutableOptions, parseOptionValue } from './options.js'
import { UnknownQueryOptionError } from './syntax-error.js'

/** The system query options, without `$`. @see OData 4.01 URL Conventions, 5.1 */
export type OptionName = Exclude<keyof QueryOptions, 'aliases'>

export const optionNames: readonly OptionName[] = [
  'filter',
  'orderby',
  'select',
  'expand',
  'search',
  'compute',
  'top',
  'skip',
  'count',
  'levels',
  'format',
  'skiptoken',
  'deltatoken',
]

const byName: ReadonlyMap<string, OptionName> = new Map(optionNames.map(name => [name, name]))

/** The option that a name, without `$` and in any letter case, stands for. */
export function optionNamed(name: string): OptionName | undefined {
  return byName.get(name) ?? byName.get(name.toLowerCase())
}

/** The options that may stand in the parentheses of a construct, and whether aliases may. */
export interface NestedOptionNames {
  readonly names: readonly OptionName[]
  readonly aliases: boolean
}

/** @see OData ABNF, `expandCountOption` */
export const countOptions: NestedOptionNames = { names: ['filter', 'search'], aliases: false }
/** @see OData ABNF, `expandRefOption` */
export const referenceOptions: NestedOptionNames = {
  names: ['filter', 'search', 'orderby', 'skip', 'top', 'count'],
  aliases: false,
}
/** @see OData ABNF, `expandPath` */
export const starOptions: NestedOptionNames = { names: ['levels'], aliases: false }
/** @see OData ABNF, `expandOption` */
export const expandOptions: NestedOptionNames = {
  names: [...referenceOptions.names, 'select', 'expand', 'compute', 'levels'],
  aliases: true,
}
/** @see OData ABNF, `selectOption` */
export const selectOptions: NestedOptionNames = {
  names: [...referenceOptions.names, 'compute', 'select'],
  aliases: true,
}

/** `(option;option…)`, from the `(` on. The `$` of a name may be left out, and its letter case does not matter. */
export function parseNestedOptions(cursor: Cursor, allowed: NestedOptionNames): QueryOptions {
  enter(cursor)
  cursor.position += 1
  skipWhitespace(cursor)
  const options: MutableOptions = {}
  do {
    cursor.steps += 1
    if (allowed.aliases && cursor.text.charCodeAt(cursor.position) === AT) parseNestedAlias(cursor, options)
    else parseNestedOption(cursor, options, allowed)
  } while (takeSpaced(cursor, SEMICOLON))
  const end = whitespaceEnd(cursor.text, cursor.position)
  if (cursor.text.charCodeAt(end) !== CLOSE) failAfterOperand(cursor, ['`;`', '`)`'])
  cursor.position = end + 1
  cursor.nesting -= 1
  return options
}

function parseNestedOption(cursor: Cursor, options: MutableOptions, allowed: NestedOptionNames): void {
  const { text, position } = cursor
  const start = text.charCodeAt(position) === DOLLAR ? position + 1 : position
  const end = identifierEnd(text, start)
  const option = optionNamed(text.slice(start, end))
  if (option === undefined || !allowed.names.includes(option)) {
    const expected = allowed.names.map(name => `$${name}`)
    if (option !== undefined || start === position || end === start) fail(cursor, position, expected)
    const unknown = text.slice(position, end)
    throw new UnknownQueryOptionError(unknown, { text, position, expected, option: cursor.option })
  }
  if (text.charCodeAt(end) !== EQUALS) fail(cursor, end, ['`=`'])
  if (Object.hasOwn(options, option)) fail(cursor, position, ['another option'], `$${option} was given before.`)
  cursor.position = end + 1
  parseOptionValue(cursor, option, options, true)
}

function parseNestedAlias(cursor: Cursor, options: MutableOptions): void {
  const start = cursor.position
  cursor.position += 1
  const name = takeIdentifier(cursor, 'the name of an alias')
  if (!take(cursor, EQUALS)) fail(cursor, cursor.position, ['`=`'])
  addAlias(cursor, options, name, start)
}

/** Reads the value of the alias `@name` that begins at `start` and adds it to the options. */
export function addAlias(cursor: Cursor, options: MutableOptions, name: string, start: number): void {
  const aliases: Record<string, Expression> = options.aliases ?? Object.create(null)
  if (Object.hasOwn(aliases, name)) fail(cursor, start, ['another alias'], `@${name} was given before.`)
  aliases[name] = parseExpression(cursor)
  options.aliases = aliases
}
