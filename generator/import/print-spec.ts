import { coreScalar } from '../../spec/language/index.js'

const lineWidth = 120

/**
 * A spec as YAML: one line for what fits on one, otherwise one line for each member. Texts are in quotes if necessary.
 *
 * @param document plain data: objects, arrays, strings, numbers, booleans, null
 */
export function printSpec(document: object): string {
  const lines: string[] = []
  for (const [key, value] of Object.entries(document)) {
    if (lines.length > 0) lines.push('')
    print(key, value, '', lines, key === 'service' || isScalar(value) ? 'flow' : 'block')
  }
  return `${lines.join('\n')}\n`
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null

/** Writes a member; a chapter is never put on one line. */
function print(key: string, value: unknown, indentation: string, lines: string[], style: 'flow' | 'block'): void {
  const start = `${indentation}${plainPath.test(key) ? key : keyText(key)}:`
  if (style === 'flow' || isScalar(value) || isEmpty(value)) {
    const text = flow(value, isScalar(value), lineWidth)
    if (text !== undefined && (isScalar(value) || start.length + 1 + text.length <= lineWidth)) {
      lines.push(`${start} ${text}`)
      return
    }
  }
  const inner = `${indentation}  `
  if (Array.isArray(value)) {
    lines.push(...listLines(`${start} [`, value, inner))
    return
  }
  lines.push(start)
  for (const [name, member] of Object.entries(value ?? {}))
    print(name, member, inner, lines, isMap(key) ? 'block' : 'flow')
}

/** A list on several lines. The first begins with the given text. */
function listLines(start: string, items: readonly unknown[], inner: string): readonly string[] {
  const lines: string[] = []
  let line = start
  for (const [index, item] of items.entries()) {
    const text = `${flow(item, false, Number.POSITIVE_INFINITY) ?? ''}${index === items.length - 1 ? ']' : ','}`
    if (index > 0 && line.length + 1 + text.length > lineWidth) {
      lines.push(line)
      line = inner + text
    } else line += index === 0 ? text : ` ${text}`
  }
  return [...lines, line]
}

/** Chapters whose entries each take a few lines, so that all look alike. */
const isMap = (key: string): boolean => key === 'resources'

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

/**
 * A value on one line; undefined if that line is too long.
 *
 * @param isAlone no bracket or comma surrounds it
 */
function flow(value: unknown, isAlone: boolean, room: number): string | undefined {
  if (typeof value === 'string') return scalarText(value, isAlone)
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '0' : String(value)
  const isList = Array.isArray(value)
  const parts: string[] = []
  let length = 4
  for (const [key, member] of Object.entries(value)) {
    const text = flow(member, false, room)
    const part = text === undefined ? undefined : isList ? text : `${keyText(key)}: ${text}`
    length += (part?.length ?? 0) + 2
    if (part === undefined || length - 2 > room) return undefined
    parts.push(part)
  }
  if (parts.length === 0) return isList ? '[]' : '{}'
  return isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`
}

/** Contains only characters without a special meaning in YAML. */
const plainWord = /^[A-Za-z_][A-Za-z0-9_.-]*$/
/** A path as a key on its own line. Inside braces or brackets, commas and braces would end it. */
const plainPath = /^\/[A-Za-z0-9_./${}()=,-]*$/
const plainText = /^[A-Za-z_][A-Za-z0-9_ ./()'=;+-]*$/

function keyText(key: string): string {
  return plainWord.test(key) && typeof coreScalar(key) === 'string' ? key : quoted(key)
}

function scalarText(text: string, isAlone: boolean): string {
  const isPlain = plainWord.test(text) || (plainText.test(text) && !text.endsWith(' ')) || (isAlone && isProse(text))
  return isPlain && typeof coreScalar(text) === 'string' ? text : quoted(text)
}

/** A sentence that needs no quotes after a colon. */
const isProse = (text: string): boolean =>
  /^[A-Za-z][^\n\t\\"#:]*$/.test(text) && !text.endsWith(' ') && !/[\p{Cc}\p{Cf}\p{Z}]/u.test(text.replaceAll(' ', ''))

/** In double quotes, with escapes for invisible characters and line separators. */
function quoted(text: string): string {
  const escaped = text.replace(/["\\\n\t]|[\p{Cc}\p{Cf}\u2028\u2029]/gu, character => {
    const digits = (character.codePointAt(0) ?? 0).toString(16)
    return (
      escapes.get(character) ?? (digits.length > 4 ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`)
    )
  })
  return `"${escaped}"`
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\t', '\\t'],
])
