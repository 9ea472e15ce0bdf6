import { type BinaryExpression, type Expression, evaluate } from '../../../runtime/query/index.js'
import type { StructuredType } from '../../../spec/language/index.js'
import type { Environment } from './behaviour.js'
import { fold, foldingOf } from './comparison.js'
import { dateAndTimeOf, type Value } from './values.js'

/** Evaluates a function call. @see OData URL Conventions 4.01, 5.1.1.5 to 5.1.1.11 */
export function call(name: string, values: readonly Value[], nodes: readonly Expression[], env: Environment): Value {
  const { choices } = env.at.behaviour
  if (name === 'now') return { kind: 'instant', nanos: BigInt(Date.now()) * 1_000_000n }
  const rare = rareFunction(name, values, nodes, env)
  if (rare !== undefined) return rare
  if (values.some(value => value === null)) {
    return isTextTest(name) && choices['nullFunction'] === 'twoValued' ? false : null
  }
  const [first = null, second = null, third = null] = values
  if (isTextTest(name) && typeof first === 'string' && typeof second === 'string') {
    const { trailingSpaces: _, ...folding } = foldingOf(choices, choices['functionComparison'] === 'caseInsensitive')
    const text = fold(first, { ...folding, trailingSpaces: false })
    const part = fold(second, { ...folding, trailingSpaces: false })
    return textTests[name](text, part)
  }
  if (name === 'matchespattern' && typeof first === 'string' && typeof second === 'string') {
    const { trailingSpaces: _, ...folding } = foldingOf(choices, choices['functionComparison'] === 'caseInsensitive')
    const [text, pattern] = [first, second].map(each => fold(each, { ...folding, trailingSpaces: false }))
    return new RegExp(pattern ?? '', 'u').test(text ?? '')
  }
  if (typeof first === 'number') return roundNumber(name, first)
  if (typeof first === 'string') {
    const ownFunction = textFunctions[name]
    return ownFunction === undefined ? canonicalResult(name, values) : ownFunction(first, second, third)
  }
  if (typeof first === 'object' && first?.kind === 'collection' && name === 'length') return first.items.length
  return dateFunctions[name]?.(first) ?? null
}

/** The result of a function of strings that the mutants' service does not implement. */
function canonicalResult(name: string, values: readonly Value[]): Value {
  const given = values.map((value): Expression => ({ kind: 'literal', type: 'String', value: String(value) }))
  const result = evaluate({ kind: 'call', function: name, arguments: given }, {})
  return typeof result === 'string' || typeof result === 'number' || typeof result === 'boolean' ? result : null
}

const textTests = {
  contains: (text: string, part: string) => text.includes(part),
  startswith: (text: string, part: string) => text.startsWith(part),
  endswith: (text: string, part: string) => text.endsWith(part),
} as const

function isTextTest(name: string): name is keyof typeof textTests {
  return Object.hasOwn(textTests, name)
}

function roundNumber(name: string, number: number): Value {
  if (name === 'floor') return Math.floor(number)
  if (name === 'ceiling') return Math.ceil(number)
  return name === 'round' ? Math.sign(number) * Math.round(Math.abs(number)) : null
}

type TextFunction = (text: string, second: Value, third: Value) => Value

/** String functions. Lengths and positions count Unicode code points. */
const textFunctions: Readonly<Partial<Record<string, TextFunction>>> = {
  tolower: text => text.toLowerCase(),
  toupper: text => text.toUpperCase(),
  trim: text => text.trim(),
  length: text => [...text].length,
  concat: (text, other) => (typeof other === 'string' ? text + other : null),
  indexof: (text, part) => {
    if (typeof part !== 'string') return null
    const found = text.indexOf(part)
    return found < 0 ? -1 : [...text.slice(0, found)].length
  },
  substring: (text, start, length) => {
    if (typeof start !== 'number') return null
    const from = Math.max(0, start)
    return [...text].slice(from, typeof length === 'number' ? from + Math.max(0, length) : undefined).join('')
  },
}

const second = 1_000_000_000n

/** Functions of dates, times and durations. Timestamps are evaluated in UTC. */
const dateFunctions: Readonly<Partial<Record<string, (value: Value) => Value>>> = {
  year: value => fromDate(value, 0, 4),
  month: value => fromDate(value, 5, 7),
  day: value => fromDate(value, 8, 10),
  hour: value => fromTime(value, nanos => Number(nanos / (3600n * second))),
  minute: value => fromTime(value, nanos => Number((nanos / (60n * second)) % 60n)),
  second: value => fromTime(value, nanos => Number((nanos / second) % 60n)),
  fractionalseconds: value => fromTime(value, nanos => Number(nanos % second) / 1e9),
  date: value => {
    const text = dateOf(value)
    return text === undefined ? null : { kind: 'date', text }
  },
  time: value => {
    const nanos = timeOfDay(value)
    return nanos === undefined ? null : { kind: 'time', nanos }
  },
  totalseconds: value => (typeof value === 'object' && value?.kind === 'duration' ? Number(value.nanos) / 1e9 : null),
}

function dateOf(value: Value): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (value.kind === 'date') return value.text
  return value.kind === 'instant' ? dateAndTimeOf(value.nanos).date : undefined
}

function timeOfDay(value: Value): bigint | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (value.kind === 'time') return value.nanos
  return value.kind === 'instant' ? dateAndTimeOf(value.nanos).time : undefined
}

function fromDate(value: Value, start: number, end: number): Value {
  const text = dateOf(value)
  return text === undefined ? null : Number(text.slice(start, end))
}

function fromTime(value: Value, part: (nanos: bigint) => number): Value {
  const nanos = timeOfDay(value)
  return nanos === undefined ? null : part(nanos)
}

const ranges: Readonly<Record<string, readonly [least: number, most: number]>> = {
  'Edm.SByte': [-128, 127],
  'Edm.Byte': [0, 255],
  'Edm.Int16': [-32_768, 32_767],
  'Edm.Int32': [-2_147_483_648, 2_147_483_647],
  'Edm.Int64': [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
}

const nanosOfYear = (year: number): bigint => BigInt(Date.UTC(year, 0)) * 1_000_000n

/**
 * Functions that few services support. Returns undefined for other functions. @see OData URL Conventions 4.01, 5.1.1.6 to
 * 5.1.1.12
 */
function rareFunction(
  name: string,
  values: readonly Value[],
  nodes: readonly Expression[],
  env: Environment,
): Value | undefined {
  switch (name) {
    case 'mindatetime':
      return { kind: 'instant', nanos: nanosOfYear(1) }
    case 'maxdatetime':
      return { kind: 'instant', nanos: nanosOfYear(9999) }
    case 'case':
      return values.find((_, index) => index % 2 === 1 && values[index - 1] === true) ?? null
    case 'cast':
    case 'isof': {
      const type = nodes.at(-1)
      if (type?.kind !== 'type') return null
      const [value = null] = nodes.length < 2 ? [env.it] : values
      if (value === null) return null
      const found = castTo(value, type.name)
      return name === 'cast' ? found : found !== null
    }
    case 'hassubset':
      return onCollections(values, (whole, part) => {
        const left = [...whole]
        return part.every(wanted => {
          const index = left.findIndex(item => isEqual(item, wanted, nodes, env))
          if (index >= 0) left.splice(index, 1)
          return index >= 0
        })
      })
    case 'hassubsequence':
      return onCollections(values, (whole, part) => {
        let next = 0
        for (const item of whole) {
          const wanted = part[next]
          if (wanted !== undefined && isEqual(item, wanted, nodes, env)) next += 1
        }
        return next === part.length
      })
    case 'totaloffsetminutes':
      return typeof values[0] === 'object' && values[0]?.kind === 'instant' ? 0 : null
    default:
      return undefined
  }
}

function onCollections(
  [whole = null, part = null]: readonly Value[],
  test: (whole: readonly Value[], part: readonly Value[]) => boolean,
): Value {
  if (typeof whole !== 'object' || whole?.kind !== 'collection') return null
  return typeof part === 'object' && part?.kind === 'collection' ? test(whole.items, part.items) : null
}

function isEqual(left: Value, right: Value, [first, second]: readonly Expression[], env: Environment): boolean {
  if (first === undefined || second === undefined) return false
  const node: BinaryExpression = { kind: 'binary', operator: 'eq', left: first, right: second }
  return env.at.behaviour.compare(node, left, right, env) === true
}

function castTo(value: Exclude<Value, null>, type: string): Value {
  if (type === 'Edm.String') return valueText(value)
  const range = Object.hasOwn(ranges, type) ? ranges[type] : undefined
  if (range !== undefined) {
    const number = typeof value === 'string' && /^[+-]?\d+$/.test(value) ? Number(value) : value
    if (typeof number !== 'number' || !Number.isFinite(number)) return null
    const whole = Math.sign(number) * Math.round(Math.abs(number))
    return whole >= range[0] && whole <= range[1] ? whole : null
  }
  if (typeof value === 'boolean') return type === 'Edm.Boolean' ? value : null
  if (typeof value !== 'object') return null
  if (value.kind === 'object') return isNamed(value.type, type) ? value : null
  return (value.kind === 'date' && type === 'Edm.Date') || (value.kind === 'guid' && type === 'Edm.Guid') ? value : null
}

function valueText(value: Exclude<Value, null>): Value {
  if (typeof value !== 'object') return String(value)
  return 'text' in value ? value.text : null
}

function isNamed(type: StructuredType, name: string): boolean {
  for (let each: StructuredType | undefined = type; each !== undefined; each = each.base) {
    if (each.qualifiedName === name) return true
  }
  return false
}
