import { type Literal, PrintError, printLiteral } from '../../runtime/query/index.js'
import { isRow, type Row } from '../json.js'
import { instantOf, instantText } from '../oracle/temporal.js'
import type { Session } from '../session/session.js'

/** The values at a path, null where there is none. Collections on the way contribute the values of all items. */
export function valuesAt(rows: readonly unknown[], path: readonly string[]): readonly unknown[] {
  let values: readonly unknown[] = rows
  for (const name of path) {
    values = values.flatMap(value => {
      if (!isRow(value)) return [null]
      const found = Object.hasOwn(value, name) ? value[name] : null
      return Array.isArray(found) ? found : [found]
    })
  }
  return values
}

/** Maximum rows to search; more rows add little. */
const maxObservedRows = 4_000

const observedCache = new WeakMap<readonly Row[], Map<string, readonly unknown[]>>()

/** The distinct values at a path without null, in the order of the rows. */
export function observedValues(rows: readonly Row[], path: readonly string[]): readonly unknown[] {
  const byPath = observedCache.get(rows) ?? new Map<string, readonly unknown[]>()
  observedCache.set(rows, byPath)
  const name = path.join('/')
  const before = byPath.get(name)
  if (before !== undefined) return before
  const some = rows.length > maxObservedRows ? rows.slice(0, maxObservedRows) : rows
  const values = valuesAt(some, path).filter(
    value => value !== null && value !== undefined && typeof value !== 'object',
  )
  const found = [...new Set(values)]
  byPath.set(name, found)
  return found
}

/** The value at a path, null if there is none. A collection on the way contributes its first item. */
export function valueAt(row: unknown, path: readonly string[]): unknown {
  let value: unknown = row
  for (const [index, name] of path.entries()) {
    if (!isRow(value)) return null
    const found = Object.hasOwn(value, name) ? value[name] : null
    if (Array.isArray(found)) return valuesAt([value], path.slice(index))[0]
    value = found
  }
  return value
}

const specialCharacter = /[^A-Za-z0-9 .,-]/u

/**
 * Samples the most informative values of a property: first values with unusual characters and texts that differ in case
 * only, then values from the whole range.
 *
 * @param seen unusual characters in the samples of other properties; values with new ones come first
 */
export function sampleValues<Value>(
  values: readonly Value[],
  count: number,
  seen: Set<string> = new Set(),
): readonly Value[] {
  const chosen = new Set<Value>()
  const here = new Set<string>()
  const isFull = (): boolean => chosen.size >= Math.ceil(count / 2)
  const takeUnusual = (known: ReadonlySet<string>, also: (value: string) => boolean): void => {
    for (const value of values) {
      if (isFull()) return
      if (typeof value !== 'string' || value.length > 80 || chosen.has(value)) continue
      const unusual = [...value].filter(character => specialCharacter.test(character))
      if (!unusual.some(character => !known.has(character)) && !also(value)) continue
      for (const character of unusual) {
        here.add(character)
        seen.add(character)
      }
      chosen.add(value)
    }
  }
  takeUnusual(seen, () => false)
  takeUnusual(here, value => value.trim() !== value || value.includes('  ') || hasTwin(value, values))
  for (let index = 0; chosen.size < count && index < values.length; index++) {
    const step = Math.max(1, Math.floor(values.length / count))
    const value = values[(index * step) % values.length]
    if (value !== undefined && !chosen.has(value)) chosen.add(value)
    else {
      const other = values.find(each => !chosen.has(each))
      if (other === undefined) break
      chosen.add(other)
    }
  }
  return [...chosen]
}

function hasTwin(value: string, values: readonly unknown[]): boolean {
  const lower = value.toLowerCase()
  return (
    values.length <= 200 &&
    values.some(each => typeof each === 'string' && each !== value && each.toLowerCase() === lower)
  )
}

/** What the form of a literal depends on. */
export interface LiteralContext extends Pick<Session, 'types'> {
  readonly choices: Pick<Session['choices'], 'get'>
}

/**
 * The literal for a JSON value of a type. Absent if there is none, if the value does not have that type, or if the
 * service's literal format is unknown. Timestamps are in UTC.
 */
export function literalOf(type: string, value: unknown, session: LiteralContext): Literal | undefined {
  const literal = writtenLiteral(type, value, session)
  return literal === undefined || !isWellFormed(literal) ? undefined : literal
}

/** Whether a literal has a textual form. Values come from the service, so they may be anything. */
export function isWellFormed(literal: Literal): boolean {
  try {
    printLiteral(literal)
    return true
  } catch (error) {
    if (error instanceof PrintError) return false
    throw error
  }
}

function writtenLiteral(type: string, value: unknown, session: LiteralContext): Literal | undefined {
  switch (type) {
    case 'Edm.String':
      return typeof value === 'string' && isPrintable(value) ? { kind: 'literal', type: 'String', value } : undefined
    case 'Edm.Boolean':
      return typeof value === 'boolean' ? { kind: 'literal', type: 'Boolean', value } : undefined
    case 'Edm.Guid':
      return typeof value === 'string' ? guidLiteral(value, session) : undefined
    case 'Edm.Date':
    case 'Edm.TimeOfDay':
      return typeof value === 'string'
        ? { kind: 'literal', type: type === 'Edm.Date' ? 'Date' : 'TimeOfDay', value }
        : undefined
    case 'Edm.Duration':
      return typeof value === 'string' ? { kind: 'literal', type: 'Duration', value: value.toUpperCase() } : undefined
    case 'Edm.DateTimeOffset': {
      const instant = typeof value === 'string' ? instantOf(value) : undefined
      if (instant === undefined) return undefined
      return { kind: 'literal', type: 'DateTimeOffset', value: instantText(instant.ticks) }
    }
    default:
      if (!type.startsWith('Edm.'))
        return typeof value === 'string' ? { kind: 'literal', type: 'String', value } : undefined
      return numericLiteral(type, value)
  }
}

/** Many servers reject control characters before the service sees them. */
function isPrintable(text: string): boolean {
  return !/[\0-\x1F\x7F]/.test(text) && !/\p{Surrogate}/u.test(text) && text.length <= 200
}

function guidLiteral(value: string, { choices }: Pick<LiteralContext, 'choices'>): Literal | undefined {
  const way = choices.get('guidLiteral')
  if (way === 'quoted') return { kind: 'literal', type: 'String', value }
  return /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/.test(value)
    ? { kind: 'literal', type: 'Guid', value: value.toLowerCase() }
    : undefined
}

function numericLiteral(type: string, value: unknown): Literal | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const written = String(value)
  const isInteger = /^-?\d{1,19}$/.test(written)
  if (isInteger) return { kind: 'literal', type: 'Integer', value: written }
  if (type === 'Edm.Decimal' || type === 'Edm.Double' || type === 'Edm.Single') {
    return /^-?\d{1,30}\.\d{1,30}$/.test(written) ? { kind: 'literal', type: 'Decimal', value: written } : undefined
  }
  return undefined
}

/** Letters with swapped case. */
export function swapCase(text: string): string {
  return text.replace(/\p{L}/gu, letter =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
