import type { QueryOptions } from './ast.js'
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
  takeSpaced,
  UnknownQueryOptionError,
  whitespaceEnd,
} from './cursor.js'
import { failAfterOperand } from './operators.js'

/** The system query options, without `$`. @see OData 4.01 URL Conventions, 5.1 */
export type OptionName = Exclude<keyof QueryOptions, 'aliases'>

export const optionNames: readonly OptionName[] = [
  'filter',
  'orderby',
  'select',
  'expand',
  'search',
  'compute',
  'apply',
  'top',
  'skip',
  'count',
  'levels',
  'format',
  'skiptoken',
  'deltatoken',
]

const byName: ReadonlyMap<string, OptionName> = new Map(optionNames.map(name => [name, name]))

/** The option with the given name, without `$` and in any letter case. */
export function optionNamed(name: string): OptionName | undefined {
  return byName.get(name) ?? byName.get(name.toLowerCase())
}

/** The options that a construct allows in its parentheses, and whether it allows aliases. */
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

/**
 * Parses `(option;option...)` from the `(` on. The `$` of a name is optional, and its letter case does not matter.
 *
 * @param options the options parsed so far, to detect duplicates
 * @param parseValue reads one value and adds it to `options`; of an alias, also the name, from the `@` on
 */
export function parseNestedOptions(
  cursor: Cursor,
  allowed: NestedOptionNames,
  options: QueryOptions,
  parseValue: (name: keyof QueryOptions) => void,
): void {
  enter(cursor, 1)
  do {
    cursor.steps += 1
    const isAlias = allowed.aliases && cursor.text.charCodeAt(cursor.position) === AT
    parseValue(isAlias ? 'aliases' : takeOptionName(cursor, allowed, options))
  } while (takeSpaced(cursor, SEMICOLON))
  const end = whitespaceEnd(cursor.text, cursor.position)
  if (cursor.text.charCodeAt(end) !== CLOSE) failAfterOperand(cursor, ['`;`', '`)`'])
  cursor.position = end + 1
  cursor.nesting -= 1
}

/** Consumes the name of an option and its `=`. */
function takeOptionName(cursor: Cursor, allowed: NestedOptionNames, options: QueryOptions): OptionName {
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
  return option
}
