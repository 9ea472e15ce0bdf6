import { exactNumber } from '../../query/index.js'

/**
 * A value as JSON text. Handlers whose store returns JSON use it to avoid parsing and serializing the value. The text
 * must be valid JSON in the format of `JSON.stringify`, without white space. A number with more digits than a JavaScript
 * number can have is such a value, too.
 *
 * As the `value` of a page, it is the final list of items: the handler has applied `$select` and `$expand`.
 */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): unknown {
    return isPrinting ? marker().prefix + this.text : JSON.parse(this.text)
  }
}

/** Parses a `JsonText`. Other values stay unchanged. */
export function parseJsonText(given: unknown): unknown {
  return given instanceof JsonText ? parseExactJson(given.text) : given
}

/** Marks texts that stand for JSON. No other text contains the prefix. */
interface Marker {
  readonly prefix: string
  readonly pattern: RegExp
}

let known: Marker | undefined

/** Created on demand, because workers may not create random values while they load modules. */
function marker(): Marker {
  if (known === undefined) {
    const prefix = `${crypto.randomUUID()} `
    known = { prefix, pattern: new RegExp(`"${prefix}((?:[^"\\\\]|\\\\.)*)"`, 'g') }
  }
  return known
}

/** Whether `printJson` is running. It runs synchronously. */
let isPrinting = false

/** A value as JSON. A `JsonText` inside it becomes its text, so that no digit is lost. */
export function printJson(value: unknown, replacer?: (name: string, value: unknown) => unknown): string {
  isPrinting = true
  let json: string
  try {
    json = JSON.stringify(value, replacer)
  } finally {
    isPrinting = false
  }
  if (known === undefined || !json.includes(known.prefix)) return json
  return json.replaceAll(known.pattern, (_, text: string) => JSON.parse(`"${text}"`))
}

/** A run of digits in which a number could lose one. */
const longNumeral = /[0-9.]{16}|[0-9][eE]/

const stringOrNumeral = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9][0-9.eE+-]*/gs

/**
 * Parses JSON. A number that would lose digits as a JavaScript number becomes a `JsonText`.
 *
 * @throws {SyntaxError}
 */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!longNumeral.test(text)) return value
  let isExact = true
  const { prefix } = marker()
  const quoted = text.replaceAll(stringOrNumeral, token => {
    if (token.startsWith('"') || typeof exactNumber(token) === 'number') return token
    isExact = false
    return `"${prefix}${token}"`
  })
  if (isExact) return value
  return JSON.parse(quoted, (_name, member: unknown) =>
    typeof member === 'string' && member.startsWith(prefix) ? new JsonText(member.slice(prefix.length)) : member,
  )
}

/** JSON with JavaScript numbers only, as floating-point types have them. */
export function withNearestNumbers(json: unknown): unknown {
  if (json instanceof JsonText) return json.toJSON()
  if (Array.isArray(json)) return json.map(withNearestNumbers)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, withNearestNumbers(value)]))
}
