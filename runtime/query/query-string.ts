import type { QueryOptions, Transformation } from './ast.js'
import { Cursor, isHexDigit, isIdentifier, QuerySyntaxError, UnknownQueryOptionError } from './cursor.js'
import { optionNamed, optionNames } from './nested-options.js'
import { requireEndOfExpression } from './operators.js'
import { addAlias, type MutableOptions, parseOptionValue, requireEndOfOption } from './options.js'
import { parseTransformations } from './transformations/parse.js'

/** The options of a query string. */
export interface ParsedQuery {
  /** The system query options and parameter aliases. */
  readonly options: QueryOptions
  /** All other options by name and value, decoded and in order. A service ignores those that it does not know. */
  readonly custom: readonly (readonly [name: string, value: string])[]
}

/**
 * Parses a raw, percent-encoded query string, with or without its `?`.
 *
 * The parser splits the text at `&`, splits each part at its first `=`, and percent-decodes both halves once. `+` is a plus
 * sign. Only if the grammar does not permit one of them, all of them are spaces, as in the encoding of forms, which ordinary
 * HTTP clients use. The `$` of a system query option is optional, and its letter case does not matter. Each option may
 * appear once, in either spelling. Empty parts are ignored. `$levels` is valid only inside `$expand`.
 *
 * @throws {QuerySyntaxError} when a part breaks the grammar, cannot be decoded, or is a duplicate; `position` is an offset
 *   in the raw text
 * @throws {UnknownQueryOptionError} when an option starts with `$` and is unknown
 * @see OData 4.01 URL Conventions, 2 and 5
 */
export function parseQueryOptions(query: string): ParsedQuery {
  return parseQueryString(query, parseTransformations)
}

/**
 * The same for a service, which may do without the parser of `$apply`. The option is unknown then.
 *
 * @param transformations parses the value of `$apply`
 */
export function parseQueryString(query: string, transformations: ParseTransformations | undefined): ParsedQuery {
  if (!query.includes('+')) return parseEncoded(query, 'plus', transformations)
  try {
    return parseEncoded(query, 'plus', transformations)
  } catch (error) {
    if (!(error instanceof QuerySyntaxError) || error instanceof UnknownQueryOptionError) throw error
    return parseAsForm(query, transformations, error)
  }
}

type ParseTransformations = (cursor: Cursor) => readonly Transformation[]

/** The meaning of `+` in a query string. */
type PlusSign = 'plus' | 'space'

/** @throws {QuerySyntaxError} of the likely reading: a query with other spaces hardly has plus signs for spaces */
function parseAsForm(
  query: string,
  transformations: ParseTransformations | undefined,
  other: QuerySyntaxError,
): ParsedQuery {
  try {
    return parseEncoded(query, 'space', transformations)
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error
    throw /%20| /.test(query) ? other : error
  }
}

function parseEncoded(query: string, plus: PlusSign, transformations: ParseTransformations | undefined): ParsedQuery {
  const options: MutableOptions = {}
  const custom: (readonly [string, string])[] = []
  const fragment = query.indexOf('#')
  if (fragment !== -1) failAt(query, fragment, ['a query without fragment'], 'Write `#` as `%23`.')
  let start = query.startsWith('?') ? 1 : 0
  while (start <= query.length) {
    const ampersand = query.indexOf('&', start)
    const end = ampersand === -1 ? query.length : ampersand
    if (end > start) parsePart(partAt(query, start, end, plus), options, custom, transformations)
    start = end + 1
  }
  return { options, custom }
}

/** `name=value` in a query string. The offsets are those of the raw text. */
interface QueryPart {
  readonly query: string
  readonly start: number
  /** Percent-decoded. */
  readonly name: string
  readonly hasValue: boolean
  readonly valueStart: number
  readonly end: number
  readonly plus: PlusSign
}

function partAt(query: string, start: number, end: number, plus: PlusSign): QueryPart {
  const equals = query.indexOf('=', start)
  const hasValue = equals !== -1 && equals < end
  const nameEnd = hasValue ? equals : end
  const name = decode(query, start, nameEnd, plus)
  return { query, start, name, hasValue, valueStart: hasValue ? equals + 1 : end, end, plus }
}

function parsePart(
  part: QueryPart,
  options: MutableOptions,
  custom: (readonly [string, string])[],
  transformations: ParseTransformations | undefined,
): void {
  const { query, start, name, hasValue, valueStart, end, plus } = part
  const isSystem = name.startsWith('$')
  const option = optionNamed(isSystem ? name.slice(1) : name)
  const isUnknown = option === undefined || option === 'levels' || (option === 'apply' && transformations === undefined)
  if (isUnknown) {
    if (name.startsWith('@')) parseAlias(part, options)
    else if (isSystem) failUnknown(query, start, name)
    else custom.push([name, decode(query, valueStart, end, plus)])
    return
  }
  const written = `$${option}`
  if (!hasValue) failAt(query, end, ['`=`'], undefined, written)
  if (Object.hasOwn(options, option)) failAt(query, start, ['another option'], `${written} was given before.`, written)
  parseValue(part, written, cursor => {
    cursor.transformations = transformations
    parseOptionValue(cursor, option, options, false)
    requireEndOfOption(cursor, option)
  })
}

function parseAlias(part: QueryPart, options: MutableOptions): void {
  const { query, start, name, hasValue, end } = part
  if (!isIdentifier(name.slice(1))) failAt(query, start, ['`@` and the name of an alias'])
  if (!hasValue) failAt(query, end, ['`=` and the value of the alias'])
  parseValue(part, name, cursor => {
    addAlias(cursor, options, name.slice(1), 0)
    requireEndOfExpression(cursor)
  })
}

/** Parses the decoded value of a part. Errors get their position in the raw text. */
function parseValue(
  { query, valueStart, end, plus }: QueryPart,
  option: string,
  parse: (cursor: Cursor) => void,
): void {
  const text = decode(query, valueStart, end, plus, option)
  try {
    parse(new Cursor(text, option))
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error
    const position = valueStart + encodedOffset(query.slice(valueStart, end), error.position)
    const problem = { text: query, position, expected: error.expected, option, hint: error.hint, whole: true }
    throw error instanceof UnknownQueryOptionError
      ? new UnknownQueryOptionError(error.unknown, problem)
      : new QuerySyntaxError(problem)
  }
}

function failAt(query: string, position: number, expected: readonly string[], hint?: string, option?: string): never {
  throw new QuerySyntaxError({ text: query, position, expected, hint, option, whole: true })
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

/** Percent-decodes a part of a query string as UTF-8. @see RFC 3986, 2.1 */
function decode(query: string, start: number, end: number, plus: PlusSign, option?: string): string {
  const part = query.slice(start, end)
  const encoded = plus === 'space' ? part.replaceAll('+', ' ') : part
  if (!encoded.includes('%')) return encoded
  try {
    return decodeURIComponent(encoded)
  } catch {
    const expected = ['percent-encoded UTF-8 (`%25` for a percent sign)']
    return failAt(query, start + malformedOffset(encoded), expected, undefined, option)
  }
}

/** The offset in `encoded` of the character at `position` in the decoded text. */
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

/** The offset of the first sequence that is not valid UTF-8. */
function malformedOffset(encoded: string): number {
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

/** The length in bytes of the UTF-8 sequence that starts with the percent-encoded byte at `offset`. */
function sequenceLength(encoded: string, offset: number): number {
  const isByte = isHexDigit(encoded.charCodeAt(offset + 1)) && isHexDigit(encoded.charCodeAt(offset + 2))
  const byte = isByte ? Number.parseInt(encoded.slice(offset + 1, offset + 3), 16) : 0
  return byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
}
