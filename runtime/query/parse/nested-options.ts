import type { Expression, QueryOptions } from '../ast.js'
import { AT, CLOSE, DOLLAR, EQUALS, SEMICOLON } from '../lexical/characters.js'
import { identifierEnd } from '../lexical/identifier.js'
import { whitespaceEnd } from '../lexical/whitespace.js'
import { UnknownQueryOptionError } from '../unknown-query-option-error.js'
import type { Cursor } from './cursor.js'
import { parseExpression } from './expression.js'
import { fail } from './fail.js'
import { takeIdentifier } from './identifier.js'
import type { NestedOptionNames } from './nested-option-names.js'
import { enter } from './nesting.js'
import { failAfterOperand } from './operators.js'
import { optionNamed } from './option-name.js'
import { type MutableOptions, parseOptionValue } from './option-value.js'
import { skipWhitespace, take, takeSpaced } from './punctuation.js'

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
