import type { Expression, Literal } from '../../runtime/query/index.js'
import { durationOf, instantOf, instantText, ticksInSecond } from '../semantics/temporal.js'
import type { Session } from '../session/session.js'
import type { Atom } from './atom.js'
import { binary, call, integer } from './build.js'
import { chooseValues } from './choose-values.js'
import type { Term } from './grammar.js'
import { literalOf } from './literal-of.js'

const relations = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const

/** Conditions on anything but texts: observed values and their neighbours. */
export function* valueAtoms(
  path: Expression,
  term: Term,
  values: readonly unknown[],
  name: string,
  session: Session,
): Generator<Atom> {
  const atom = (kind: string, filter: Expression): Atom => ({ kind: `${kind} ${name}`, filter })
  const isOrdered = term.type !== 'Edm.Guid' && term.type !== 'Edm.Boolean' && !term.isFlags
  if (term.isFlags && term.allows('has')) yield* flagAtoms(path, term, session, atom)
  const shown = term.type === 'Edm.Boolean' ? [true, false] : chooseValues(values, 3)
  for (const value of shown) {
    const literal = literalOf(term.type, value, session)
    if (literal === undefined) continue
    for (const operator of relations) {
      if (!term.allows(operator) || (!isOrdered && operator !== 'eq' && operator !== 'ne')) continue
      yield atom(operator, binary(operator, path, literal))
    }
    yield* partAtoms(path, term, value, literal, atom)
    if (term.allows('in') && term.type !== 'Edm.Boolean') {
      const items = chooseValues(values, 3).flatMap(each => literalOf(term.type, each, session) ?? [])
      yield atom('in', binary('in', path, { kind: 'list', form: 'parentheses', items }))
    }
    for (const operator of isOrdered ? relations : []) {
      if (!term.allows(operator)) continue
      for (const near of neighbours(literal)) yield atom(`${operator} near`, binary(operator, path, near))
    }
  }
}

type MakeAtom = (kind: string, filter: Expression) => Atom

function* partAtoms(path: Expression, term: Term, value: unknown, literal: Literal, atom: MakeAtom): Generator<Atom> {
  const { type, allows } = term
  if (type === 'Edm.DateTimeOffset' || type === 'Edm.Date') {
    const instant =
      typeof value === 'string' ? instantOf(type === 'Edm.Date' ? `${value}T00:00:00Z` : value) : undefined
    if (instant === undefined) return
    const written = new Date(Number(instant.ticks / (ticksInSecond / 1000n))).toISOString()
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
      yield atom(part, binary('eq', call(part, path), integer(number)))
      if (allows('gt')) yield atom(`${part} gt`, binary('gt', call(part, path), integer(number)))
    }
    if (type === 'Edm.DateTimeOffset' && allows('date')) {
      const date: Literal = { kind: 'literal', type: 'Date', value: written.slice(0, 10) }
      yield atom('date', binary('eq', call('date', path), date))
      if (allows('gt')) yield atom('date gt', binary('gt', call('date', path), date))
    }
    if (type === 'Edm.DateTimeOffset') yield* clockAtoms(path, allows, instant.ticks, atom)
    if (type === 'Edm.DateTimeOffset' && allows('now') && allows('lt'))
      yield atom('now', binary('lt', path, call('now')))
  }
  if (type === 'Edm.Duration' && allows('totalseconds') && typeof value === 'string') {
    const ticks = durationOf(value)
    const isWhole = ticks !== undefined && ticks % ticksInSecond === 0n
    if (isWhole)
      yield atom('totalseconds', binary('eq', call('totalseconds', path), integer(Number(ticks / ticksInSecond))))
  }
  if (literal.type === 'Integer' || literal.type === 'Decimal') yield* numberAtoms(path, term, literal, atom)
}

/** What a clock shows at a moment, in UTC. */
function* clockAtoms(
  path: Expression,
  allows: (construct: string) => boolean,
  ticks: bigint,
  atom: MakeAtom,
): Generator<Atom> {
  const written = instantText(ticks)
  const time: Literal = { kind: 'literal', type: 'TimeOfDay', value: written.slice(11, -1) }
  if (allows('time')) yield atom('time', binary('eq', call('time', path), time))
  if (allows('time') && allows('gt')) yield atom('time gt', binary('gt', call('time', path), time))
  if (!allows('fractionalseconds')) return
  const fraction = /\.(\d+)Z$/.exec(written)?.[1]
  const literal: Literal =
    fraction === undefined ? integer(0) : { kind: 'literal', type: 'Decimal', value: `0.${fraction}` }
  yield atom('fractionalseconds', binary('eq', call('fractionalseconds', path), literal))
}

function* numberAtoms(path: Expression, { allows, type }: Term, literal: Literal, atom: MakeAtom): Generator<Atom> {
  const number = Number(literal.value)
  if (!Number.isSafeInteger(Math.trunc(number)) || Math.abs(number) > 1e6) return
  const isWhole = Number.isInteger(number) && type !== 'Edm.Double' && type !== 'Edm.Single'
  if (isWhole) {
    if (allows('add')) yield atom('add', binary('eq', binary('add', path, integer(3)), integer(number + 3)))
    if (allows('sub')) yield atom('sub', binary('eq', binary('sub', path, integer(2)), integer(number - 2)))
    if (allows('mul')) yield atom('mul', binary('eq', binary('mul', path, integer(3)), integer(number * 3)))
    if (allows('div') && allows('gt')) {
      yield atom('div', binary('eq', binary('div', path, integer(4)), integer(Math.trunc(number / 4))))
    }
    if (allows('mod')) yield atom('mod', binary('eq', binary('mod', path, integer(3)), integer(number % 3)))
    if (allows('negate')) {
      yield atom('negate', binary('eq', { kind: 'unary', operator: 'negate', operand: path }, integer(-number)))
    }
    return
  }
  for (const [name, result] of [
    ['round', Math.sign(number) * Math.round(Math.abs(number))],
    ['floor', Math.floor(number)],
    ['ceiling', Math.ceil(number)],
  ] as const) {
    if (allows(name)) yield atom(name, binary('eq', call(name, path), integer(result)))
  }
}

function* flagAtoms(path: Expression, { type }: Term, { types, service }: Session, atom: MakeAtom): Generator<Atom> {
  const info = Object.hasOwn(types, type) ? types[type] : undefined
  if (info?.kind !== 'enumType') return
  const members = Object.keys(info.members).slice(0, 6)
  const pairs = members.slice(1, -1).map((member, index) => `${member},${members[index + 2]}`)
  for (const value of [...pairs, ...members]) {
    const literal: Literal = { kind: 'literal', type: 'Enum', enumType: `${service.namespace}.${type}`, value }
    yield atom('has', binary('has', path, literal))
  }
}

/** What stands right beside a value. */
function neighbours(literal: Literal): readonly Literal[] {
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
