import type { QueryOptions } from './ast.js'
import { Cursor, isHexDigit, isIdentifier, skipWhitespace } from './cursor.js'
import { addAlias, type OptionName, optionNamed, optionNames } from './nested-options.js'
import { requireEnd, requireEndOfExpression } from './operators.js'
import { afterOrderbyExpression, type MutableOptions, parseOptionValue } from './options.js'
import { QuerySyntaxError, UnknownQueryOptionError } from './syntax-error.js'

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

/** A part of a query string, decoded, or the offset at which it cannot be. */
type Decoded =
  | { readonly kind: 'decoded'; readonly text: string }
  | { readonly kind: 'malformed'; readonly position: number }

/** Percent-decodes a part of a URL as UTF-8. A plus sign is a plus sign. @see RFC 3986, 2.1 */
function decodePercent(encoded: string): Decoded {
  if (!encoded.includes('%')) return { kind: 'decoded', text: encoded }
  try {
    return { kind: 'decoded', text: decodeURIComponent(encoded) }
  } catch {
    return { kind: 'malformed', position: malformedAt(encoded) }
  }
}

/** The offset in `encoded` of the character that became the one at `position` of the decoded text. */
function encodedOffset(encoded: string, position: number): number {
  let offset = 0
  let decoded = 0
  while (decoded < position && offset < encoded.length) {
    if (encoded[offset] !== '%') {
      offset += 1
      decoded += 1
    } else {
      const length = sequenceLength(encoded, offset)
      offset += 3 * length
      decoded += length === 4 ? 2 : 1
    }
  }
  return offset
}

function malformedAt(encoded: string): number {
  let offset = encoded.indexOf('%')
  while (offset !== -1) {
    const end = offset + 3 * sequenceLength(encoded, offset)
    if (!isDecodable(encoded.slice(offset, end))) return offset
    offset = encoded.indexOf('%', end)
  }
  return encoded.length
}

function isDecodable(sequence: string): boolean {
  try {
    decodeURIComponent(sequence)
    return true
  } catch {
    return false
  }
}

/** How many bytes the UTF-8 sequence has that begins with the percent-encoded byte at `offset`. */
function sequenceLength(encoded: string, offset: number): number {
  const isByte = isHexDigit(encoded.charCodeAt(offset + 1)) && isHexDigit(encoded.charCodeAt(offset + 2))
  const byte = isByte ? Number.parseInt(encoded.slice(offset + 1, offset + 3), 16) : 0
  return byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
}
