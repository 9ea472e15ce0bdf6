import type { Expression, Literal } from '../../runtime/query/index.js'
import { isIntegerType, primitiveTypeNames } from '../../spec/language/index.js'
import { durationOf, instantOf, instantText, ticksInSecond } from '../oracle/temporal.js'
import type { Session } from '../session/session.js'
import { binary, call, integerLiteral } from './expressions.js'
import type { Condition, Term } from './grammar.js'
import { literalOf, sampleValues } from './observed-values.js'

const comparisonOperators = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const

/** Conditions on values other than texts: observed values and their neighbours. */
export function* valueConditions(
  path: Expression,
  term: Term,
  values: readonly unknown[],
  name: string,
  session: Session,
): Generator<Condition> {
  const condition = (kind: string, filter: Expression): Condition => ({ kind: `${kind} ${name}`, filter })
  const isOrdered = term.type !== 'Edm.Guid' && term.type !== 'Edm.Boolean' && !term.isFlags
  if (term.isFlags && term.allows('has')) yield* flagConditions(path, term, session, condition)
  const shown = term.type === 'Edm.Boolean' ? [true, false] : sampleValues(values, 3)
  for (const value of shown) {
    const literal = literalOf(term.type, value, session)
    if (literal === undefined) continue
    for (const operator of comparisonOperators) {
      if (!term.allows(operator) || (!isOrdered && operator !== 'eq' && operator !== 'ne')) continue
      yield condition(operator, binary(operator, path, literal))
    }
    yield* partConditions(path, term, value, literal, condition)
    if (term.allows('in') && term.type !== 'Edm.Boolean') {
      const items = sampleValues(values, 3).flatMap(each => literalOf(term.type, each, session) ?? [])
      yield condition('in', binary('in', path, { kind: 'list', form: 'parentheses', items }))
    }
    for (const operator of isOrdered ? comparisonOperators : []) {
      if (!term.allows(operator)) continue
      for (const near of neighboursOf(literal)) yield condition(`${operator} near`, binary(operator, path, near))
    }
  }
}

type MakeCondition = (kind: string, filter: Expression) => Condition

function* partConditions(
  path: Expression,
  term: Term,
  value: unknown,
  literal: Literal,
  condition: MakeCondition,
): Generator<Condition> {
  const { type, allows } = term
  if (type === 'Edm.DateTimeOffset' || type === 'Edm.Date') {
    const instant =
      typeof value === 'string' ? instantOf(type === 'Edm.Date' ? `${value}T00:00:00Z` : value) : undefined
    if (instant === undefined) return
    const written = new Date(Number(instant.ticks / (ticksInSecond / 1000n))).toISOString()
    if (!/^\d{4}-/.test(written)) return
    const parts: readonly (readonly [string, number])[] = [
      ['year', Number(written.slice(0, 4))],
      ['month', Number(written.slice(5, 7))],
      ['day', Number(written.slice(8, 10))],
      ...(type === 'Edm.Date'
        ? []
        : ([
            ['hour', Number(written.slice(11, 13))],
            ['minute', Number(written.slice(14, 16))],
            ['second', Number(written.slice(17, 19))],
          ] as const)),
    ]
    for (const [part, number] of parts) {
      if (!allows(part)) continue
      yield condition(part, binary('eq', call(part, path), integerLiteral(number)))
      if (allows('gt')) yield condition(`${part} gt`, binary('gt', call(part, path), integerLiteral(number)))
    }
    if (type === 'Edm.DateTimeOffset' && allows('date')) {
      const date: Literal = { kind: 'literal', type: 'Date', value: written.slice(0, written.indexOf('T')) }
      yield condition('date', binary('eq', call('date', path), date))
      if (allows('gt')) yield condition('date gt', binary('gt', call('date', path), date))
    }
    if (type === 'Edm.DateTimeOffset') yield* timeConditions(path, allows, instant.ticks, condition)
    if (type === 'Edm.DateTimeOffset' && allows('now') && allows('lt'))
      yield condition('now', binary('lt', path, call('now')))
  }
  if (type === 'Edm.Duration' && allows('totalseconds') && typeof value === 'string') {
    const ticks = durationOf(value)
    const isWhole = ticks !== undefined && ticks % ticksInSecond === 0n
    if (isWhole)
      yield condition(
        'totalseconds',
        binary('eq', call('totalseconds', path), integerLiteral(Number(ticks / ticksInSecond))),
      )
  }
  if (literal.type === 'Integer' || literal.type === 'Decimal') yield* numberConditions(path, term, literal, condition)
}

/** The time of day in UTC. */
function* timeConditions(
  path: Expression,
  allows: (construct: string) => boolean,
  ticks: bigint,
  condition: MakeCondition,
): Generator<Condition> {
  const written = instantText(ticks)
  const time: Literal = { kind: 'literal', type: 'TimeOfDay', value: written.slice(written.indexOf('T') + 1, -1) }
  if (allows('time')) yield condition('time', binary('eq', call('time', path), time))
  if (allows('time') && allows('gt')) yield condition('time gt', binary('gt', call('time', path), time))
  if (!allows('fractionalseconds')) return
  const fraction = /\.(\d+)Z$/.exec(written)?.[1]
  const literal: Literal =
    fraction === undefined ? integerLiteral(0) : { kind: 'literal', type: 'Decimal', value: `0.${fraction}` }
  yield condition('fractionalseconds', binary('eq', call('fractionalseconds', path), literal))
}

function* numberConditions(
  path: Expression,
  { allows, type }: Term,
  literal: Literal,
  condition: MakeCondition,
): Generator<Condition> {
  const number = Number(literal.value)
  if (!Number.isSafeInteger(Math.trunc(number)) || Math.abs(number) > 1e6) return
  const isWhole = Number.isInteger(number) && type !== 'Edm.Double' && type !== 'Edm.Single'
  if (isWhole) {
    if (allows('add'))
      yield condition('add', binary('eq', binary('add', path, integerLiteral(3)), integerLiteral(number + 3)))
    if (allows('sub'))
      yield condition('sub', binary('eq', binary('sub', path, integerLiteral(2)), integerLiteral(number - 2)))
    if (allows('mul'))
      yield condition('mul', binary('eq', binary('mul', path, integerLiteral(3)), integerLiteral(number * 3)))
    if (allows('div') && allows('gt')) {
      yield condition(
        'div',
        binary('eq', binary('div', path, integerLiteral(4)), integerLiteral(Math.trunc(number / 4))),
      )
    }
    if (allows('mod'))
      yield condition('mod', binary('eq', binary('mod', path, integerLiteral(3)), integerLiteral(number % 3)))
    if (allows('negate')) {
      yield condition(
        'negate',
        binary('eq', { kind: 'unary', operator: 'negate', operand: path }, integerLiteral(-number)),
      )
    }
    return
  }
  for (const [name, result] of [
    ['round', Math.sign(number) * Math.round(Math.abs(number))],
    ['floor', Math.floor(number)],
    ['ceiling', Math.ceil(number)],
  ] as const) {
    if (allows(name)) yield condition(name, binary('eq', call(name, path), integerLiteral(result)))
  }
}

function* flagConditions(
  path: Expression,
  { type }: Term,
  { types, service }: Session,
  condition: MakeCondition,
): Generator<Condition> {
  const info = Object.hasOwn(types, type) ? types[type] : undefined
  if (info?.kind !== 'enumType') return
  const members = Object.keys(info.members).slice(0, 6)
  const pairs = members.slice(1, -1).map((member, index) => `${member},${members[index + 2]}`)
  for (const value of [...pairs, ...members]) {
    const literal: Literal = { kind: 'literal', type: 'Enum', enumType: `${service.namespace}.${type}`, value }
    yield condition('has', binary('has', path, literal))
  }
}

/** The adjacent values. */
function neighboursOf(literal: Literal): readonly Literal[] {
  switch (literal.type) {
    case 'Integer':
      return [1n, -1n].map(step => ({ ...literal, value: String(BigInt(literal.value) + step) }))
    case 'DateTimeOffset': {
      const instant = instantOf(literal.value)
      if (instant === undefined) return []
      const steps = [
        ticksInSecond / 1000n,
        -ticksInSecond / 1000n,
        ticksInSecond,
        -ticksInSecond,
        3600n * ticksInSecond,
      ]
      return steps.map(step => ({ ...literal, value: instantText(instant.ticks + step) }))
    }
    default:
      return []
  }
}

const orderedTypes: ReadonlySet<string> = new Set([
  ...primitiveTypeNames.filter(isIntegerType).map(name => `Edm.${name}`),
  ...['Edm.String', 'Edm.Decimal', 'Edm.Double', 'Edm.Date', 'Edm.DateTimeOffset', 'Edm.TimeOfDay'],
])

/** Conditions near the smallest and largest values. Few rows lie beyond, so an off-by-one at the limit shows. */
export function* edgeConditions(
  path: Expression,
  { type, allows }: Term,
  values: readonly unknown[],
  name: string,
  session: Session,
): Generator<Condition> {
  if (!orderedTypes.has(type) || values.length < 3) return
  const sorted = sortedValues(values)
  const edges = [
    ['lt', sorted[1]],
    ['ge', sorted.at(-1)],
    ['le', sorted[0]],
    ['gt', sorted.at(-2)],
  ] as const
  for (const [operator, value] of edges) {
    const literal = literalOf(type, value, session)
    if (literal !== undefined && allows(operator)) {
      yield { kind: `${operator} ${name}`, filter: binary(operator, path, literal) }
    }
  }
}

/** Comparisons with each Boolean value, or with a value in the middle, which about half of the rows meet. */
export function* middleConditions(
  path: Expression,
  { type, allows }: Term,
  values: readonly unknown[],
  name: string,
  session: Session,
): Generator<Condition> {
  const isBoolean = type === 'Edm.Boolean'
  if (!isBoolean && !orderedTypes.has(type)) return
  const sorted = sortedValues(values)
  const operators = isBoolean ? (['eq', 'ne'] as const) : comparisonOperators
  for (const value of isBoolean ? [false, true] : [sorted[sorted.length >> 1]]) {
    const literal = literalOf(type, value, session)
    if (literal === undefined) continue
    for (const operator of operators.filter(allows)) {
      yield { kind: `${operator} ${isBoolean ? value : 'middle'} ${name}`, filter: binary(operator, path, literal) }
    }
  }
}

function sortedValues(values: readonly unknown[]): readonly unknown[] {
  return [...values].sort((a, b) => (isNumber(a) && isNumber(b) ? a - b : String(a) < String(b) ? -1 : 1))
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}
