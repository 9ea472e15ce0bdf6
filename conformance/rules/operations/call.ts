import type { Expression, Literal, LiteralType } from '../../../runtime/query/index.js'
import {
  type CallEndpoint,
  isIntegerType,
  type Meaning,
  type Operation,
  type Parameter,
  type PrimitiveTypeName,
} from '../../../spec/language/index.js'
import { onePerEndpoint, type Site } from '../../discover/site.js'
import type { TestRequest, TestResponse } from '../../http/message.js'
import { isRow, type Json, type Row } from '../../json.js'
import { primitiveOf } from '../../lists/properties.js'
import { replaceAliases } from '../../probes/expressions.js'
import { quoteString } from '../../rule/query-request.js'
import type { Session } from '../../session/session.js'

/** The site of an operation that is declared as a query: calling it changes nothing, whatever its method. */
export interface QueryCall extends Site {
  readonly endpoint: CallEndpoint
  readonly meaning: Meaning
}

/** A filter whose aliases are the parameters of an operation. */
export interface ParameterizedFilter {
  readonly endpoint: { readonly operation: Operation }
  readonly meaning: { readonly filter?: Expression }
}

/** The site with its query. Undefined if the operation is not declared as a query. */
export function queryCall(site: Site): QueryCall | undefined {
  const { endpoint } = site
  const meaning = endpoint.kind === 'call' ? endpoint.operation.meaning : undefined
  return endpoint.kind === 'call' && meaning !== undefined ? { ...site, endpoint, meaning } : undefined
}

/** All query calls; the first site of each operation comes first. */
export function queryCalls({ sites }: Pick<Session, 'sites'>): readonly QueryCall[] {
  const calls = sites.flatMap(site => queryCall(site) ?? [])
  const first = new Set(onePerEndpoint(calls).map(({ id }) => id))
  return [...calls.filter(({ id }) => first.has(id)), ...calls.filter(({ id }) => !first.has(id))]
}

/**
 * The request that calls an operation: function arguments in the path, action arguments in the body. Undefined if an
 * argument cannot be written there.
 *
 * @param omitted the parameter of a function to leave out of the path
 */
export function callRequest({ endpoint, path }: Site, given: Arguments, omitted?: string): TestRequest | undefined {
  if (endpoint.kind !== 'call') return undefined
  const step = endpoint.resolved.find(segment => segment.kind === 'operation')
  const variables = step?.kind === 'operation' ? step.variables : {}
  let called = path
  for (const parameter of endpoint.operation.parameters) {
    const variable = Object.hasOwn(variables, parameter.name) ? variables[parameter.name] : undefined
    if (variable === undefined && parameter.name === omitted) return undefined
    if (variable === undefined) continue
    if (parameter.name === omitted) {
      const pair = `${omitted}={${variable}}`
      const shorter = called.replace(`,${pair}`, '').replace(`${pair},`, '')
      if (shorter === called) return undefined
      called = shorter
      continue
    }
    const text = argumentText(Object.hasOwn(given, parameter.name) ? given[parameter.name] : undefined, parameter)
    if (text === undefined) return undefined
    called = called.replace(`{${variable}}`, () => encodeURIComponent(text))
  }
  if (called.includes('={')) return undefined
  return endpoint.method === 'GET' ? { method: 'GET', path: called } : { method: 'POST', path: called, body: given }
}

/** The result of a call: the items of all pages, or the response that is not a list. */
export type CallResult =
  | { readonly kind: 'values'; readonly values: readonly unknown[]; readonly answers: readonly TestResponse[] }
  | { readonly kind: 'other'; readonly answer: TestResponse }

const mostPages = 200

/** Calls an operation and follows next links. A collection may be wrapped in `value` or be a plain array. */
export async function callOperation(request: TestRequest, session: Pick<Session, 'send'>): Promise<CallResult> {
  const values: unknown[] = []
  const answers: TestResponse[] = []
  const links = new Set<string>()
  let next = request
  for (;;) {
    const response = await session.send(next)
    const page = itemsOf(response)
    if (page === undefined) return { kind: 'other', answer: response }
    answers.push(response)
    values.push(...page)
    const link = isRow(response.json) ? response.json['@odata.nextLink'] : undefined
    if (typeof link !== 'string' || link === '') return { kind: 'values', values, answers }
    const path = nextPath(link, response.request.url)
    if (path === undefined || links.has(path) || answers.length >= mostPages) return { kind: 'other', answer: response }
    links.add(path)
    next = { method: 'GET', path }
  }
}

function itemsOf({ status, json }: TestResponse): readonly unknown[] | undefined {
  if (status !== 200) return undefined
  if (Array.isArray(json)) return json
  const value = isRow(json) ? json['value'] : undefined
  return Array.isArray(value) ? value : undefined
}

/** Same origin only: the request carries the credential. */
function nextPath(link: string, base: string): string | undefined {
  if (!URL.canParse(link, base)) return undefined
  const url = new URL(link, base)
  return url.origin === new URL(base).origin ? url.href : undefined
}

/** Maximum length of a list argument if the spec has no limit. */
const longestList = 12
const unknownValue = 'specwright-unknown'

/** Whether a value is one that the suite made up, which no item has. */
export function isMadeUp(value: string): boolean {
  return value.startsWith(unknownValue)
}

/**
 * Arguments that distinguish correct results from wrong ones, taken from the values of the compared properties. Empty if
 * the compared property of a parameter is not known.
 */
export function argumentsToTry({ endpoint, meaning }: ParameterizedFilter, rows: Iterable<Row>): readonly Arguments[] {
  const all = [...rows]
  const { parameters } = endpoint.operation
  const drawn = parameters.map(parameter => {
    const compared = comparisonWith(meaning.filter, parameter.name)
    return valuesFor(parameter, compared, compared === undefined ? [] : textsOf(all, compared.name))
  })
  if (drawn.some(values => values.length === 0)) return parameters.length === 0 ? [{}] : []
  const most = Math.max(1, ...drawn.map(values => values.length))
  return Array.from({ length: most }, (_, index) =>
    Object.fromEntries(parameters.map(({ name }, at) => [name, drawn[at]?.[index % (drawn[at]?.length ?? 1)] ?? null])),
  )
}

/** An empty list for each list argument. The service may refuse it. */
export function emptyArguments(call: QueryCall, rows: Iterable<Row>): readonly Arguments[] {
  const [usual] = argumentsToTry(call, rows)
  if (usual === undefined) return []
  return call.endpoint.operation.parameters.flatMap(({ name, collection }) =>
    collection ? [{ ...usual, [name]: [] }] : [],
  )
}

/** More values than a careless implementation looks at. */
const longList = 24

/**
 * A long list whose known values come last, for each list argument whose length the interface does not limit. The service
 * may refuse it.
 */
export function longArguments(call: QueryCall, rows: Iterable<Row>): readonly Arguments[] {
  const [usual] = argumentsToTry(call, rows)
  if (usual === undefined) return []
  return call.endpoint.operation.parameters.flatMap(({ name, collection, type, maxItems, assumed }) => {
    const known = usual[name]
    const isLimited = maxItems !== undefined && assumed === undefined
    if (!collection || isLimited || !Array.isArray(known) || primitiveOf(type) !== 'String') return []
    const unknown = Array.from({ length: longList }, (_, index) => `${unknownValue}-${index}`)
    return [{ ...usual, [name]: [...unknown, ...known.filter(value => value !== unknownValue)] }]
  })
}

function textsOf(rows: readonly Row[], name: string): readonly string[] {
  const values = rows.map(row => (Object.hasOwn(row, name) ? row[name] : undefined))
  return [...new Set(values.filter(value => typeof value === 'string' || typeof value === 'number').map(String))]
}

function valuesFor(
  parameter: Parameter,
  compared: ComparedProperty | undefined,
  texts: readonly string[],
): readonly Json[] {
  const primitive = primitiveOf(parameter.type)
  if (primitive === 'Boolean') return [false, true]
  if (parameter.collection) return texts.length === 0 ? [] : listsOf(parameter, texts)
  if (isPointInTime(parameter)) {
    const sorted = [...texts].sort()
    const isLow = compared?.operator === 'ge' || compared?.operator === 'gt'
    const places = isLow ? [0.25, 0, 0.5] : [0.75, 0.5, 1]
    return sorted.length === 0 ? [] : places.map(position => pointInTimeAt(sorted, position, parameter))
  }
  if (primitive === 'String' || primitive === 'Guid') return texts.slice(0, 4)
  return texts.slice(0, 4).map(Number).filter(Number.isFinite)
}

/** How many lists to try for a parameter that takes a list. */
const listsToTry = 4

/**
 * Lists of existing values, each but the first with one value that does not exist, within the declared length. Each list begins and
 * ends with another value: a service may ignore the first or the last one. The first one shows that the operation works at all. Each
 * second one has half of the values: a service may ignore the list.
 */
function listsOf({ type, maxItems = longestList }: Parameter, texts: readonly string[]): readonly Json[] {
  const length = Math.max(1, Math.min(maxItems, longestList) - 1)
  const mayBeAny = type.kind === 'primitive' && type.name === 'String' && length > 1
  const step = Math.max(1, Math.min(length, Math.ceil(texts.length / listsToTry)))
  const starts = Array.from({ length: Math.min(listsToTry, texts.length) }, (_, index) => index * step)
  return starts.map((start, index) => {
    const most = index % 2 === 1 ? Math.ceil(texts.length / 2) : length
    const rotated = [...texts.slice(start), ...texts.slice(0, start)].slice(0, Math.min(length, most))
    if (!mayBeAny || (index === 0 && starts.length > 1)) return rotated
    const place = rotated.length > 1 ? 1 : index % 2
    return rotated.toSpliced(place, 0, unknownValue)
  })
}

/** Whether a parameter is a date or a timestamp. */
export function isPointInTime({ type, format }: Parameter): boolean {
  const primitive = primitiveOf(type)
  return format === 'dateTimeOffset' || format === 'date' || primitive === 'Date' || primitive === 'DateTimeOffset'
}

/**
 * A timestamp one second before the value at a relative position of the sorted values. The boundary itself is not tested.
 */
export function pointInTimeAt(sorted: readonly string[], position: number, parameter: Parameter): string {
  const text = sorted[Math.round(position * (sorted.length - 1))] ?? ''
  const isDay = parameter.format === 'date' || primitiveOf(parameter.type) === 'Date'
  const time = Date.parse(text)
  if (Number.isNaN(time)) return text
  const shifted = new Date(position === 1 ? time + 1000 : time - 1000).toISOString()
  return isDay ? new Date(time).toISOString().slice(0, 10) : shifted.replace(/\.\d+Z$/, 'Z')
}

/** Arguments by parameter name. */
export type Arguments = Readonly<Record<string, Json>>

const formats = { dateTimeOffset: 'DateTimeOffset', date: 'Date', guid: 'Guid' } as const

/** The argument as a literal, or a list of literals for a collection. Undefined if it cannot be written as one. */
export function argumentExpression(value: Json | undefined, parameter: Parameter): Expression | undefined {
  if (value === null || value === undefined) return { kind: 'literal', type: 'null', value: null }
  if (Array.isArray(value)) {
    const items = value.map(item => argumentLiteral(item, parameter))
    const literals = items.filter(item => item !== undefined)
    return literals.length === items.length ? { kind: 'list', form: 'parentheses', items: literals } : undefined
  }
  return argumentLiteral(value, parameter)
}

/**
 * The argument as path text before percent-encoding, even if it is invalid. Undefined if it cannot be written in a path.
 */
export function argumentText(value: Json | undefined, parameter: Parameter): string | undefined {
  if (value === undefined || Array.isArray(value)) return undefined
  if (value === null) return 'null'
  // A format is not a type: in a path, the argument is a string literal.
  const { format: _format, ...plain } = parameter
  const literal = argumentLiteral(value, plain)
  if (literal === undefined) return undefined
  const text = String(literal.value)
  return literal.type === 'String'
    ? quoteString(text)
    : literal.type === 'Duration'
      ? `duration${quoteString(text)}`
      : text
}

function argumentLiteral(value: Json, parameter: Parameter): Literal | undefined {
  const primitive = primitiveOf(parameter.type)
  if (primitive === undefined || (typeof value === 'object' && value !== null)) return undefined
  if (typeof value === 'boolean') return { kind: 'literal', type: 'Boolean', value }
  const type = parameter.format === undefined ? literalType(primitive) : formats[parameter.format]
  return type === undefined ? undefined : { kind: 'literal', type, value: String(value) }
}

function literalType(primitive: PrimitiveTypeName): Exclude<LiteralType, 'null' | 'Boolean' | 'Enum'> | undefined {
  if (isIntegerType(primitive)) return 'Integer'
  switch (primitive) {
    case 'String':
    case 'Guid':
    case 'Date':
    case 'DateTimeOffset':
    case 'TimeOfDay':
    case 'Duration':
    case 'Decimal':
    case 'Double':
      return primitive
    default:
      return undefined
  }
}

/** Parses the arguments of a case. Undefined if there are none. */
export function parseArguments(text: string | undefined): Arguments | undefined {
  if (text === undefined) return undefined
  const parsed: unknown = JSON.parse(text)
  return isRow(parsed) && Object.values(parsed).every(isJson) ? Object.fromEntries(entries(parsed)) : undefined
}

function entries(row: Readonly<Record<string, unknown>>): readonly (readonly [string, Json])[] {
  return Object.entries(row).flatMap(([name, value]) => (isJson(value) ? [[name, value] as const] : []))
}

function isJson(value: unknown): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return true
  return Array.isArray(value) ? value.every(isJson) : isRow(value) && Object.values(value).every(isJson)
}

/**
 * The filter of an operation with its parameters replaced by arguments. Undefined if an argument cannot be written as a
 * literal.
 */
export function bindArguments(filter: Expression, { parameters }: Operation, given: Arguments): Expression | undefined {
  let isWhole = true
  const bound = replaceAliases(filter, name => {
    const parameter = parameters.find(each => each.name === name)
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    const expression = parameter === undefined ? undefined : argumentExpression(value, parameter)
    if (expression === undefined) isWhole = false
    return expression
  })
  return isWhole ? bound : undefined
}

/** The property and the operator with which a filter compares a parameter. */
export function comparisonWith(filter: Expression | undefined, parameter: string): ComparedProperty | undefined {
  if (filter === undefined) return undefined
  switch (filter.kind) {
    case 'unary':
      return comparisonWith(filter.operand, parameter)
    case 'call':
      return filter.arguments.map(each => comparisonWith(each, parameter)).find(each => each !== undefined)
    case 'binary': {
      const name = filter.right.kind === 'alias' && filter.right.name === parameter ? firstName(filter.left) : undefined
      if (name !== undefined) return { name, operator: filter.operator }
      return comparisonWith(filter.left, parameter) ?? comparisonWith(filter.right, parameter)
    }
    default:
      return undefined
  }
}

interface ComparedProperty {
  readonly name: string
  readonly operator: string
}

function firstName(expression: Expression): string | undefined {
  if (expression.kind === 'call') return expression.arguments.map(firstName).find(name => name !== undefined)
  if (expression.kind !== 'path') return undefined
  const [segment] = expression.segments
  return segment?.kind === 'property' ? segment.name : undefined
}
