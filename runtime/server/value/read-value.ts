import {
  compareDecimals,
  type EnumTypeInfo,
  type ExactNumber,
  type Expression,
  exactNumber,
  geoLiteral,
  isExactType,
  isNumericTypeName,
  type Literal,
  numeral,
  type PropertyInfo,
  parseFilter,
  parseScientific,
  QuerySyntaxError,
  type TypeTable,
  wgs84,
} from '../../query/index.js'
import { type NumberForm, typeInfo } from '../service-table.js'
import { invalidValue, primitiveReader } from './primitive-values.js'

export interface ValueProblem {
  /** The path to the value, `toRecipients/0/emailAddress/address`. */
  readonly target: string
  /** A sentence: `importance must be one of low, normal, high.` */
  readonly message: string
}

/** The context of reading a value: the types, and the problems found so far. */
export interface ReadContext {
  readonly types: TypeTable
  readonly numbers?: NumberForm | undefined
  readonly problems: ValueProblem[]
  /** Whether a member of an enumeration can also be a JSON number. */
  readonly enumNumbers?: boolean | undefined
  /** Counts related items that a body contains or links, before they are read. Throws if there are too many. */
  readonly countRelated?: ((count: number, target: string) => void) | undefined
  /** Reads a complex value. `item`: it is an item of a collection, which is always complete. */
  readonly readComplex: (json: unknown, type: string, target: string, item: boolean) => unknown
  /** Long lists of the JSON that were read before, in several steps. */
  readonly longLists?: LongLists | undefined
}

/** What was read of a list. */
export interface LongList {
  readonly value: readonly unknown[]
  readonly problems: readonly ValueProblem[]
  /** The related items that it links. */
  readonly related: number
}

/** By the list in the JSON. */
export type LongLists = ReadonlyMap<unknown, LongList>

/** The maximum number of items in a collection without a limit in the spec. */
const maxItems = 100_000

/**
 * Reads the JSON of a property or parameter. Returns the value in the form that handlers receive, and adds all problems
 * to the context.
 */
export function readValue(json: unknown, info: PropertyInfo, target: string, reading: ReadContext): unknown {
  if (info.collection !== true) return readSingleValue(json, info, target, reading)
  if (!Array.isArray(json)) return reportProblem(reading, target, 'must be a list')
  const least = info.minItems ?? 0
  const most = info.maxItems ?? maxItems
  if (json.length < least) return reportProblem(reading, target, `must have at least ${least} items`)
  if (json.length > most) return reportProblem(reading, target, `must have at most ${most} items`)
  const known = reading.longLists?.get(json)
  if (known === undefined) return readItems(json, 0, info, target, reading)
  for (const problem of known.problems) reading.problems.push(problem)
  reading.countRelated?.(known.related, target)
  return known.value
}

/** @param first the place of the first item in the list that it is of */
function readItems(
  items: readonly unknown[],
  first: number,
  info: PropertyInfo,
  target: string,
  reading: ReadContext,
): unknown[] {
  return items.map((item, index) => readSingleValue(item, info, `${target}/${first + index}`, reading))
}

/** The items of a list that are read in one step, a few milliseconds. */
const step = 1_000

/** Reads a long list of a property as `readValue` does, in several steps. Other requests get a turn between them. */
export async function readLongList(
  list: readonly unknown[],
  info: PropertyInfo,
  target: string,
  reading: ReadContext,
  nextTurn: () => Promise<void>,
): Promise<readonly unknown[]> {
  const value: unknown[] = []
  for (let first = 0; first < list.length; first += step) {
    if (first > 0) await nextTurn()
    for (const item of readItems(list.slice(first, first + step), first, info, target, reading)) value.push(item)
  }
  return value
}

/** Whether a list of a property is read in several steps. One that is too long is refused at once. */
export function isLongList(
  json: unknown,
  { collection, maxItems: most = maxItems }: PropertyInfo,
): json is readonly unknown[] {
  return collection === true && Array.isArray(json) && json.length > step && json.length <= most
}

function readSingleValue(json: unknown, info: PropertyInfo, target: string, reading: ReadContext): unknown {
  if (json === null) return info.nullable === true ? null : reportProblem(reading, target, 'must not be null')
  const type = typeInfo(reading.types, info.type)
  if (type?.kind === 'complexType' || type?.kind === 'entityType') {
    return reading.readComplex(json, info.type, target, info.collection === true)
  }
  if (type?.kind === 'enumType') {
    const text = typeof json === 'number' && reading.enumNumbers === true ? String(json) : json
    const value = typeof text === 'string' ? readEnum(text, type) : invalidValue
    return value === invalidValue
      ? reportProblem(reading, target, `must be one of ${Object.keys(type.members).join(', ')}`)
      : value
  }
  const primitive = type?.kind === 'typeDefinition' ? type.type : info.type
  const reader = primitiveReader(primitive)
  if (reader === undefined) return reportProblem(reading, target, 'cannot be set in JSON')
  const value = reader.read(json)
  if (value === invalidValue) return reportProblem(reading, target, `must be ${reader.expected}`)
  const problem =
    facetProblem(info, primitive, value) ??
    (type?.kind === 'typeDefinition' ? facetProblem(type, primitive, value) : undefined)
  if (problem !== undefined) return reportProblem(reading, target, problem)
  if (!isExactType(primitive) || (typeof value !== 'number' && typeof value !== 'string')) return value
  const formed = numberInForm(value, primitive, reading.numbers)
  return formed ?? reportProblem(reading, target, 'has more digits than this service can keep')
}

/** An exact number in the form that handlers receive. Undefined: the form cannot represent it. */
function numberInForm(
  value: ExactNumber,
  type: string,
  form: NumberForm | undefined,
): ExactNumber | bigint | undefined {
  switch (form) {
    case 'exact':
      return value
    case 'string':
      return numeral(value)
    case 'bigint':
      return type === 'Edm.Int64' ? BigInt(numeral(value)) : numeral(value)
    default:
      return typeof value === 'number' ? value : undefined
  }
}

function reportProblem(reading: ReadContext, target: string, problem: string): undefined {
  reading.problems.push({ target, message: `${target} ${problem}.` })
}

/** Reads enum members: names in any letter case, or numbers as text. Returns the declared names. */
export function readEnum(text: string, type: EnumTypeInfo): string | typeof invalidValue {
  const parts = text.split(',')
  if (parts.length > 1 && type.flags !== true) return invalidValue
  const names: string[] = []
  for (const part of parts) {
    const name = memberName(part.trim(), type)
    if (name === undefined) return invalidValue
    if (!names.includes(name)) names.push(name)
  }
  return names.join(',')
}

function memberName(text: string, type: EnumTypeInfo): string | undefined {
  if (Object.hasOwn(type.members, text)) return text
  const lower = text.toLowerCase()
  return Object.keys(type.members).find(name => name.toLowerCase() === lower || String(type.members[name]) === text)
}

type ValueFacets = Pick<
  PropertyInfo,
  'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'precision' | 'scale' | 'pattern'
>

/** The facet that a value violates, as the end of a sentence: `must have at most 5 characters`. */
export function facetProblem(facets: ValueFacets, type: string, value: unknown): string | undefined {
  if (typeof value === 'number' || (isExactType(type) && typeof value === 'string')) return numberProblem(facets, value)
  return typeof value === 'string' ? textProblem(facets, type, value) : undefined
}

function numberProblem(facets: ValueFacets, value: ExactNumber): string | undefined {
  const { minimum, maximum } = facets
  if (minimum !== undefined && order(value, minimum) < 0) return `must be at least ${minimum}`
  if (maximum !== undefined && order(value, maximum) > 0) return `must be at most ${maximum}`
  return decimalProblem(facets, value)
}

function order(left: ExactNumber, right: number): number {
  if (typeof left === 'number') return left - right
  const [a, b] = [parseScientific(left), parseScientific(right)]
  return a === undefined || b === undefined ? 0 : compareDecimals(a, b)
}

function decimalProblem({ precision, scale }: ValueFacets, value: ExactNumber): string | undefined {
  if (precision === undefined && scale === undefined) return undefined
  const [whole = '', fraction = ''] = numeral(value).replace('-', '').split('.')
  if (typeof scale === 'number' && fraction.length > scale) return `must have at most ${scale} digits after the point`
  if (precision !== undefined && whole.length + fraction.length > precision) {
    return `must have at most ${precision} digits`
  }
  return undefined
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function textProblem(facets: ValueFacets, type: string, value: string): string | undefined {
  const { minLength, maxLength, pattern, precision } = facets
  if (type === 'Edm.String' || type === 'Edm.Binary') {
    const unit = type === 'Edm.String' ? 'character' : 'byte'
    const length = type === 'Edm.String' ? characters(value) : Math.floor((value.length * 3) / 4)
    if (minLength !== undefined && length < minLength) return `must have at least ${counted(minLength, unit)}`
    if (maxLength !== undefined && length > maxLength) return `must have at most ${counted(maxLength, unit)}`
  }
  if (pattern !== undefined && !compiled(pattern).test(value)) return `must match ${pattern}`
  if (precision !== undefined && fractionalDigits(value) > precision) {
    return `must have at most ${precision} digits of fractional seconds`
  }
  return undefined
}

/** The number of Unicode code points: a surrogate pair counts once. */
function characters(text: string): number {
  let count = text.length
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code >= 0xd800 && code < 0xdc00) count--
  }
  return count
}

function fractionalDigits(text: string): number {
  return /\.(\d*)/.exec(text)?.[1]?.length ?? 0
}

const patterns = new Map<string, RegExp>()

/** All patterns come from the spec, so the cache needs no limit. */
function compiled(pattern: string): RegExp {
  const known = patterns.get(pattern)
  if (known !== undefined) return known
  const expression = new RegExp(pattern, 'u')
  patterns.set(pattern, expression)
  return expression
}

const simpleString = /^'[^']*'$/

/**
 * Reads a literal in the parentheses of a path, such as `'x'`, `2` or `@p`, as JSON for `type`. `aliases` are the
 * values of parameter aliases such as `@p`. `invalidValue`: it isn't a literal of `type`.
 */
export function readLiteral(
  text: string,
  type: string,
  aliases: Readonly<Record<string, Expression>> | undefined,
): unknown {
  if (simpleString.test(text)) return literalJson({ kind: 'literal', type: 'String', value: text.slice(1, -1) }, type)
  const expression = parse(text)
  const resolved = expression?.kind === 'alias' ? aliasOf(expression.name, aliases) : expression
  return resolved === undefined ? invalidValue : literalJson(resolved, type)
}

function aliasOf(name: string, aliases: Readonly<Record<string, Expression>> | undefined): Expression | undefined {
  return aliases !== undefined && Object.hasOwn(aliases, name) ? aliases[name] : undefined
}

function parse(text: string): Expression | undefined {
  try {
    return parseFilter(text)
  } catch (error) {
    if (error instanceof QuerySyntaxError) return undefined
    throw error
  }
}

/**
 * Converts a URL literal to the JSON that a body would contain for it, so that both are read by the same code.
 * `invalidValue`: it isn't a literal of `type`. A string can represent a value of any type, as 4.01 allows.
 *
 * @see OData URL Conventions 4.01, 5.1.1.14 (literals)
 */
function literalJson(expression: Expression, type: string): unknown {
  switch (expression.kind) {
    case 'literal':
      return literalValueJson(expression, type)
    case 'list':
      return allJson(expression.items, type)
    case 'object':
      return objectJson(expression.members)
    default:
      return invalidValue
  }
}

/** The JSON for unquoted text: a key as a path segment, or a parameter as a custom query option. */
export function plainJson(text: string, type: string): unknown {
  if (type === 'Edm.Boolean') return text === 'true' ? true : text === 'false' ? false : invalidValue
  return isNumericTypeName(type) ? numberJson(text, type) : text
}

function literalValueJson(literal: Literal, type: string): unknown {
  if (literal.value === null || typeof literal.value === 'boolean') return literal.value
  if (literal.type === 'String') return type === 'Edm.String' ? literal.value : plainJson(literal.value, type)
  if (type === 'Edm.String') return invalidValue
  if (literal.type === 'Geography' || literal.type === 'Geometry')
    return geoLiteralJson(literal.type, literal.value, type)
  const numeric = literal.type === 'Integer' || literal.type === 'Decimal' || literal.type === 'Double'
  return numeric ? numberJson(literal.value, type) : literal.value
}

/** Well-known text as GeoJSON, which represents geographic positions only in WGS 84. */
function geoLiteralJson(family: 'Geography' | 'Geometry', value: string, type: string): unknown {
  const literal = geoLiteral(value)
  const fits = type.startsWith(`Edm.${family}`) && (family === 'Geometry' || literal?.srid === wgs84)
  return literal !== undefined && fits ? literal.json : invalidValue
}

/** A number, or the text of a number that would lose digits, if the type can have it. */
function numberJson(text: string, type: string): unknown {
  if (text === 'INF' || text === '-INF' || text === 'NaN') return text
  if (!/^[+-]?\d{1,80}(?:\.\d{1,80})?(?:[eE][+-]?\d{1,3})?$/.test(text)) return invalidValue
  return isExactType(type) ? (exactNumber(text) ?? invalidValue) : Number(text)
}

function allJson(items: readonly Expression[], type: string): unknown {
  const values = items.map(item => literalJson(item, type))
  return values.includes(invalidValue) ? invalidValue : values
}

function objectJson(members: readonly { readonly name: string; readonly value: Expression }[]): unknown {
  const value: Record<string, unknown> = Object.create(null)
  for (const member of members) {
    const json = literalJson(member.value, '')
    if (json === invalidValue) return invalidValue
    value[member.name] = json
  }
  return value
}
