import type { QueryOptions } from '../ast.js'
import { isIdentifier } from '../lexical/identifier.js'
import { QuerySyntaxError } from '../query-syntax-error.js'
import { UnknownQueryOptionError } from '../unknown-query-option-error.js'
import { Cursor } from './cursor.js'
import { requireEnd, requireEndOfExpression } from './end.js'
import { addAlias } from './nested-options.js'
import { type OptionName, optionNamed, optionNames } from './option-name.js'
import { type MutableOptions, parseOptionValue } from './option-value.js'
import { afterOrderbyExpression } from './orderby.js'
import { decodePercent, encodedOffset } from './percent.js'
import { skipWhitespace } from './punctuation.js'

/** A query string, read. */
export interface ParsedQuery {
  /** The system query options and parameter aliases. */
  readonly options: QueryOptions
  /** The options that are neither, by name and value, decoded and in order: a service ignores those it does not know. */
  readonly custom: readonly (readonly [name: string, value: string])[]
}

/**
 * The options of a query string: the raw, still percent-encoded text behind `?` (a leading `?` is passed over).
 *
 * The text is split at `&` and each part at its first `=`; then both halves are percent-decoded, once. `+` is a plus sign
 * and no space. The `$` of a system query option may be left out and its letter case does not matter; with either spelling
 * an option may be given once. Empty parts are ignored. `$levels` belongs into `$expand` and is not known outside.
 *
 * @throws {QuerySyntaxError} when a part breaks the grammar, is not decodable, or is given twice; `position` is an offset
 *   in the raw text
 * @throws {UnknownQueryOptionError} when an option begins with `$` and is not known here
 * @see OData 4.01 URL Conventions, 2 and 5
 */
export function parseQueryOptions(query: string): ParsedQuery {
  const options: MutableOptions = {}
  const custom: (readonly [string, string])[] = []
  const fragment = query.indexOf('#')
  if (fragment !== -1) failAt(query, fragment, ['a query without fragment'], 'Write `#` as `%23`.')
  let start = query.startsWith('?') ? 1 : 0
  while (start <= query.length) {
    const ampersand = query.indexOf('&', start)
    const end = ampersand === -1 ? query.length : ampersand
    if (end > start) parsePart(query, start, end, options, custom)
    start = end + 1
  }
  return { options, custom }
}

function parsePart(
  query: string,
  start: number,
  end: number,
  options: MutableOptions,
  custom: (readonly [string, string])[],
): void {
  const part = query.slice(start, end)
  const equals = part.indexOf('=')
  const name = decode(query, start, equals === -1 ? part : part.slice(0, equals))
  const valueStart = equals === -1 ? end : start + equals + 1
  const system = name.startsWith('$')
  const option = optionNamed(system ? name.slice(1) : name)
  if (option === undefined || option === 'levels') {
    if (name.startsWith('@')) parseAliasPart(query, start, name, valueStart, end, equals !== -1, options)
    else if (system) failUnknown(query, start, name)
    else custom.push([name, decode(query, valueStart, query.slice(valueStart, end))])
    return
  }
  if (equals === -1) failAt(query, end, ['`=`'], undefined, option)
  if (Object.hasOwn(options, option)) failAt(query, start, ['another option'], `$${option} was given before.`, option)
  parseOption(query, valueStart, end, `$${option}`, cursor => parseWholeValue(cursor, option, options))
}

/** What may stand behind the value of an option, to continue it. */
const continuations: Readonly<Partial<Record<OptionName, readonly string[]>>> = {
  select: ['`,`', '`/`', '`(`'],
  expand: ['`,`', '`/`', '`(`'],
  compute: ['`,`'],
  search: ['a word', '`"`', '`(`'],
}

function parseWholeValue(cursor: Cursor, option: OptionName, options: MutableOptions): void {
  parseOptionValue(cursor, option, options, false)
  if (option === 'search') skipWhitespace(cursor)
  if (option === 'filter') requireEndOfExpression(cursor)
  else if (option === 'orderby') requireEndOfExpression(cursor, afterOrderbyExpression)
  else requireEnd(cursor, continuations[option] ?? [])
}

function parseAliasPart(
  query: string,
  start: number,
  name: string,
  valueStart: number,
  end: number,
  hasValue: boolean,
  options: MutableOptions,
): void {
  if (!isIdentifier(name.slice(1))) failAt(query, start, ['`@` and the name of an alias'])
  if (!hasValue) failAt(query, end, ['`=` and the value of the alias'])
  parseOption(query, valueStart, end, name, cursor => {
    addAlias(cursor, options, name.slice(1), 0)
    requireEndOfExpression(cursor)
  })
}

/** Parses the decoded value between two offsets; an error's position is carried over into the raw text. */
function parseOption(query: string, start: number, end: number, option: string, parse: (cursor: Cursor) => void): void {
  const encoded = query.slice(start, end)
  const text = decode(query, start, encoded, option)
  try {
    parse(new Cursor(text, option))
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error
    const position = start + encodedOffset(encoded, error.position)
    const problem = { text: query, position, expected: error.expected, option, hint: error.hint, whole: true }
    throw error instanceof UnknownQueryOptionError
      ? new UnknownQueryOptionError(error.unknown, problem)
      : new QuerySyntaxError(problem)
  }
}

function decode(query: string, start: number, encoded: string, option?: string): string {
  const decoded = decodePercent(encoded)
  if (decoded.kind === 'decoded') return decoded.text
  throw new QuerySyntaxError({
    text: query,
    position: start + decoded.position,
    expected: ['percent-encoded UTF-8 (`%25` for a percent sign)'],
    option,
    whole: true,
  })
}

function failAt(
  query: string,
  position: number,
  expected: readonly string[],
  hint?: string,
  option?: OptionName,
): never {
  const name = option === undefined ? undefined : `$${option}`
  throw new QuerySyntaxError({ text: query, position, expected, hint, option: name, whole: true })
}

function failUnknown(query: string, position: number, name: string): never {
  throw new UnknownQueryOptionError(name, {
    text: query,
    position,
    expected: optionNames.filter(known => known !== 'levels').map(known => `$${known}`),
    option: name,
    whole: true,
  })
}
