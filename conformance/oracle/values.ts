import type { Literal, TypeTable } from '../../runtime/query/index.js'
import { isIntegerType, primitiveTypeNames } from '../../spec/language/index.js'
import { isRow, type Row } from '../json.js'
import type { ComparisonSemantics } from './comparison-semantics.js'
import { integerOf, type Rational, rationalOf } from './rational.js'
import { daysOf, durationOf, instantOf, timeOf } from './temporal.js'

/** The value of an operand. */
export type Value =
  | null
  | boolean
  | { readonly kind: 'text'; readonly text: string }
  /** `approximate`: rounding or binary fractions are involved, so close numbers may or may not be equal. */
  | { readonly kind: 'number'; readonly value: Rational; readonly isInteger: boolean; readonly approximate: boolean }
  | { readonly kind: 'guid'; readonly text: string }
  | { readonly kind: 'date'; readonly days: number }
  /** Between `from` and `to`, both inclusive: a service may store timestamps with a hidden fraction. */
  | { readonly kind: 'instant'; readonly from: bigint; readonly to: bigint; readonly offset: number }
  | { readonly kind: 'time'; readonly ticks: bigint }
  | { readonly kind: 'duration'; readonly ticks: bigint }
  /** `number` is absent if a member is not declared. */
  | { readonly kind: 'enum'; readonly type: string; readonly text: string; readonly number?: bigint }
  /** Binary and spatial values: they have no order. */
  | { readonly kind: 'opaque'; readonly text: string }
  | { readonly kind: 'items'; readonly items: readonly PossibleValues[] }
  | { readonly kind: 'item'; readonly row: Row; readonly type: string | undefined }

/** The possible values of an operand; `unknown` if nothing is known. */
export type PossibleValues = readonly Value[] | 'unknown'

const maxPossibilities = 12

/** Applies a function to every combination of the possible values of two operands. */
export function combineValues(
  left: PossibleValues,
  right: PossibleValues,
  apply: (left: Value, right: Value) => PossibleValues,
): PossibleValues {
  if (left === 'unknown' || right === 'unknown') return 'unknown'
  const [a, b] = [left[0], right[0]]
  if (left.length === 1 && right.length === 1 && a !== undefined && b !== undefined) return apply(a, b)
  const found: Value[] = []
  for (const a of left) {
    for (const b of right) {
      const values = apply(a, b)
      if (values === 'unknown') return 'unknown'
      for (const value of values) if (!found.includes(value)) found.push(value)
      if (found.length > maxPossibilities) return 'unknown'
    }
  }
  return found
}

const none: PossibleValues = [null]

/** Applies a function to each possible value. */
export function mapValues(values: PossibleValues, apply: (value: Value) => PossibleValues): PossibleValues {
  return combineValues(values, none, value => apply(value))
}

/** What the interpretation of a value depends on. */
export interface ValueContext {
  readonly semantics: ComparisonSemantics
  readonly types: TypeTable
  /** Whether an item that names no type is of the declared type, rather than of a derived one. */
  readonly unnamedIsDeclared?: boolean
}

const integers: ReadonlySet<string> = new Set(primitiveTypeNames.filter(isIntegerType).map(name => `Edm.${name}`))

/**
 * Interprets a JSON value of a declared type. `unknown` if it does not have the format of its type, which another rule
 * checks.
 */
export function readJson(json: unknown, type: string, isCollection: boolean, context: ValueContext): PossibleValues {
  if (json === null || json === undefined) return [null]
  if (isCollection) {
    if (!Array.isArray(json)) return 'unknown'
    return [{ kind: 'items', items: json.map((item: unknown) => readJson(item, type, false, context)) }]
  }
  const info = Object.hasOwn(context.types, type) ? context.types[type] : undefined
  switch (info?.kind) {
    case 'typeDefinition':
      return readPrimitive(json, info.type, context.semantics)
    case 'enumType':
      return typeof json === 'string' || typeof json === 'number'
        ? [enumValue(String(json), type, context.types)]
        : 'unknown'
    case 'entityType':
    case 'complexType':
      return isRow(json) ? [{ kind: 'item', row: json, type }] : 'unknown'
    default:
      return type.startsWith('Edm.') ? readPrimitive(json, type, context.semantics) : 'unknown'
  }
}

function readPrimitive(json: unknown, type: string, semantics: ComparisonSemantics): PossibleValues {
  if (type === 'Edm.Boolean') return typeof json === 'boolean' ? [json] : 'unknown'
  if (typeof json === 'number') return isNumeric(type) ? numberValue(json, type) : 'unknown'
  if (typeof json !== 'string') return 'unknown'
  if (type === 'Edm.String') return [{ kind: 'text', text: json }]
  const value = isNumeric(type) ? numericText(json, type) : parsePrimitive(json, type, semantics)
  return value === undefined ? 'unknown' : [value]
}

/** One or more members of an enumeration, separated by commas, by name or number. */
function enumValue(text: string, type: string, types: TypeTable): Value {
  const info = Object.hasOwn(types, type) ? types[type] : undefined
  let number: bigint | undefined = 0n
  for (const part of text.split(',')) {
    const name = part.trim()
    const member = info?.kind === 'enumType' && Object.hasOwn(info.members, name) ? info.members[name] : undefined
    if (member !== undefined) number |= BigInt(member)
    else if (/^-?\d{1,19}$/.test(name)) number |= BigInt(name)
    else return { kind: 'enum', type, text }
  }
  return { kind: 'enum', type, text, number }
}

function isNumeric(type: string): boolean {
  return integers.has(type) || type === 'Edm.Decimal' || type === 'Edm.Double' || type === 'Edm.Single'
}

/** A JSON number beyond 2^53 has lost digits in transit. */
function numberValue(json: number, type: string): PossibleValues {
  if (!Number.isFinite(json)) return 'unknown'
  if (Number.isInteger(json) && !Number.isSafeInteger(json) && type !== 'Edm.Double') return 'unknown'
  const value = Number.isInteger(json) ? integerOf(json) : rationalOf(String(json))
  if (value === undefined) return 'unknown'
  return [{ kind: 'number', value, isInteger: integers.has(type), approximate: isRounded(json, type) }]
}

/** Whether the shown digits of a Single are rounded. */
function isRounded(json: number, type: string): boolean {
  return type === 'Edm.Single' && Math.fround(json) !== json
}

function numericText(text: string, type: string): Value | undefined {
  const value = rationalOf(text)
  if (value === undefined) return undefined
  return { kind: 'number', value, isInteger: integers.has(type), approximate: isRounded(Number(text), type) }
}

function parsePrimitive(text: string, type: string, { instantsAreFiner }: ComparisonSemantics): Value | undefined {
  switch (type) {
    case 'Edm.Guid':
      return { kind: 'guid', text: text.toLowerCase() }
    case 'Edm.Date': {
      const days = daysOf(text)
      return days === undefined ? undefined : { kind: 'date', days }
    }
    case 'Edm.DateTimeOffset': {
      const instant = instantOf(text)
      if (instant === undefined) return undefined
      const width = instantsAreFiner.possible ? instant.unit - 1n : 0n
      return { kind: 'instant', from: instant.ticks - width, to: instant.ticks + width, offset: instant.offset }
    }
    case 'Edm.TimeOfDay': {
      const time = timeOf(text)
      return time === undefined ? undefined : { kind: 'time', ticks: time.ticks }
    }
    case 'Edm.Duration': {
      const ticks = durationOf(text)
      return ticks === undefined ? undefined : { kind: 'duration', ticks }
    }
    default:
      return { kind: 'opaque', text }
  }
}

/** Interprets a literal. It is exact: a timestamp without a fraction has the fraction zero. */
export function readLiteral(literal: Literal, context: ValueContext): PossibleValues {
  switch (literal.type) {
    case 'null':
      return [null]
    case 'Boolean':
      return [literal.value]
    case 'String':
      return textLiteral(literal.value, context.semantics)
    case 'Enum':
      return [enumValue(literal.value, literal.enumType.slice(literal.enumType.lastIndexOf('.') + 1), context.types)]
    default: {
      const value = parseLiteral(literal.type, literal.value)
      return value === undefined ? 'unknown' : [value]
    }
  }
}

/** Where empty texts are stored as null, the literal may be null, too. A text that a response shows as empty is not null. */
function textLiteral(text: string, { emptyIsNull }: ComparisonSemantics): PossibleValues {
  const value: Value = { kind: 'text', text }
  return text === '' && emptyIsNull.possible ? [value, null] : [value]
}

type TextLiteral = Exclude<Literal['type'], 'null' | 'Boolean' | 'String' | 'Enum'>

function parseLiteral(type: TextLiteral, text: string): Value | undefined {
  switch (type) {
    case 'Integer':
    case 'Decimal':
    case 'Double': {
      const value = rationalOf(text)
      return value === undefined
        ? undefined
        : { kind: 'number', value, isInteger: type === 'Integer', approximate: false }
    }
    case 'Guid':
      return { kind: 'guid', text: text.toLowerCase() }
    case 'Date': {
      const days = daysOf(text)
      return days === undefined ? undefined : { kind: 'date', days }
    }
    case 'DateTimeOffset':
      return exactInstant(text)
    case 'TimeOfDay': {
      const time = timeOf(text)
      return time === undefined ? undefined : { kind: 'time', ticks: time.ticks }
    }
    case 'Duration': {
      const ticks = durationOf(text)
      return ticks === undefined ? undefined : { kind: 'duration', ticks }
    }
    case 'Binary':
    case 'Geography':
    case 'Geometry':
      return { kind: 'opaque', text }
  }
}

function exactInstant(text: string): Value | undefined {
  const instant = instantOf(text)
  if (instant === undefined) return undefined
  return { kind: 'instant', from: instant.ticks, to: instant.ticks, offset: instant.offset }
}

/** Interprets a text that is compared with a value of another type, as OData 4.01 services do for quoted literals. */
export function parseAs(text: string, other: Exclude<Value, null | boolean>, context: ValueContext): Value | undefined {
  switch (other.kind) {
    case 'enum':
      return enumValue(text, other.type, context.types)
    case 'guid':
      return { kind: 'guid', text: text.toLowerCase() }
    case 'date':
      return parseLiteral('Date', text)
    case 'instant':
      return exactInstant(text)
    case 'time':
      return parseLiteral('TimeOfDay', text)
    case 'duration':
      return parseLiteral('Duration', text)
    default:
      return undefined
  }
}

/** An item, or a complex value. */
export type Item = Extract<Value, { readonly kind: 'item' }>

/** Uses the type that an item names. Otherwise the item is of its declared type or, unless it would say so, of a derived one. */
export function isItemOf(
  { row, type: declared }: Item,
  typeName: string,
  { types, unnamedIsDeclared = false }: ValueContext,
): PossibleValues {
  const shown = shownType(row)
  const derivesFrom = (name: string | undefined, base: string): boolean => {
    const seen = new Set<string>()
    for (let at = name; at !== undefined && !seen.has(at); ) {
      if (at === base) return true
      seen.add(at)
      const info = Object.hasOwn(types, at) ? types[at] : undefined
      at = info?.kind === 'entityType' || info?.kind === 'complexType' ? info.base : undefined
    }
    return false
  }
  const name = typeName.slice(typeName.lastIndexOf('.') + 1)
  if (shown !== undefined) return Object.hasOwn(types, shown) ? [derivesFrom(shown, name)] : [true, false]
  if (derivesFrom(declared, name)) return [true]
  const info = declared !== undefined && Object.hasOwn(types, declared) ? types[declared] : undefined
  const isConcrete = info?.kind === 'entityType' && info.abstract !== true
  return unnamedIsDeclared && isConcrete ? [false] : [true, false]
}

function shownType(row: Row): string | undefined {
  const shown = Object.hasOwn(row, '@odata.type') ? row['@odata.type'] : undefined
  return typeof shown === 'string'
    ? shown.slice(Math.max(shown.lastIndexOf('.'), shown.lastIndexOf('#')) + 1)
    : undefined
}

/** An item that is not of the type, or of one that derives from it, becomes null. */
export function castTo(value: Value, type: string, context: ValueContext): PossibleValues {
  if (value === null) return [null]
  if (typeof value === 'boolean' || value.kind !== 'item') return 'unknown'
  const isOfType = isItemOf(value, type, context)
  if (isOfType === 'unknown' || isOfType.length !== 1) return 'unknown'
  return isOfType[0] === true ? [{ ...value, type: type.slice(type.lastIndexOf('.') + 1) }] : [null]
}
