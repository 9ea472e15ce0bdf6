export interface MediaType {
  /** In lower case, `application/json`, `application/*`. */
  readonly type: string
  /** Names in lower case. Values without quotes. */
  readonly parameters: ReadonlyMap<string, string>
}

/**
 * Parses `type/subtype;name=value`. Undefined: it is malformed.
 *
 * @see RFC 9110, 8.3.1
 */
export function parseMediaType(text: string): MediaType | undefined {
  const [first = '', ...rest] = splitUnquoted(text, ';')
  const type = first.trim().toLowerCase()
  const slash = type.indexOf('/')
  if (!isToken(type.slice(0, Math.max(slash, 0))) || !isToken(type.slice(slash + 1))) return undefined
  const parameters = new Map<string, string>()
  for (const part of rest) {
    const equals = part.indexOf('=')
    if (equals < 0) {
      if (part.trim() === '') continue
      return undefined
    }
    const value = part.slice(equals + 1).trim()
    parameters.set(part.slice(0, equals).trim().toLowerCase(), unquote(value))
  }
  return { type, parameters }
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** @see RFC 9110, 5.6.2 */
export function isToken(text: string): boolean {
  return token.test(text)
}

/** Splits at separators outside of quoted strings. */
export function splitUnquoted(text: string, separator: ',' | ';'): readonly string[] {
  const parts: string[] = []
  let start = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (quoted && character === '\\') index++
    else if (character === '"') quoted = !quoted
    else if (!quoted && character === separator) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}

/** The content of a quoted string, unescaped. Other text stays unchanged. */
export function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text
  return text.slice(1, -1).replace(/\\(.)/g, '$1')
}
