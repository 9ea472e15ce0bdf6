import type { Expression, Literal } from '../../runtime/query/index.js'
import { isIntegerType, primitiveTypeNames } from '../../spec/language/index.js'
import type { Snapshot } from '../discover/site.js'
import { isRow, type Row } from '../json.js'
import { isKindOf } from '../lists/properties.js'
import type { Session } from '../session/session.js'
import { binary, booleanLiteral, call, integerLiteral, nullLiteral, pathTo, stringLiteral } from './expressions.js'
import type { CollectionTerm, Condition, Grammar, Term } from './grammar.js'
import { literalOf, observedValues, sampleValues, valuesAt } from './observed-values.js'

/** Functions that few services support. They have conditions of their own. */
export const rareFunctions = [
  'case',
  'cast',
  'isof',
  'hassubset',
  'hassubsequence',
  'matchespattern',
  'mindatetime',
  'maxdatetime',
  'totaloffsetminutes',
] as const

const integerTypes: ReadonlySet<string> = new Set(primitiveTypeNames.filter(isIntegerType).map(name => `Edm.${name}`))

/** Conditions with these functions on the rows of a snapshot, within what the spec declares. */
export function rareConditions(grammar: Grammar, snapshot: Snapshot, session: Session): readonly Condition[] {
  if (!rareFunctions.some(grammar.has)) return []
  const { rows } = snapshot
  const isShown = ({ path: [name] }: { readonly path: readonly string[] }): boolean =>
    name !== undefined && snapshot.properties.has(name)
  return interleaveForms([
    ...typeConditions(grammar, snapshot, session),
    ...grammar.collections.filter(isShown).flatMap(collection => [...collectionConditions(collection, rows, session)]),
    ...grammar.terms.filter(isShown).flatMap(term => [...termConditions(term, rows, session)]),
  ])
}

/** One of each form, then another one of each, and so on: a bug in a function usually affects every property. */
function interleaveForms(conditions: readonly Condition[]): readonly Condition[] {
  const forms = new Map<string, Condition[]>()
  for (const condition of conditions) {
    const form = condition.kind.slice(0, condition.kind.lastIndexOf(' '))
    forms.set(form, [...(forms.get(form) ?? []), condition])
  }
  const longest = Math.max(0, ...[...forms.values()].map(({ length }) => length))
  return Array.from({ length: longest }, (_, turn) => turn).flatMap(turn =>
    [...forms.values()].flatMap(each => each[turn] ?? []),
  )
}

function* termConditions(term: Term, rows: readonly Row[], session: Session): Generator<Condition> {
  const path = pathTo(term.path)
  const name = term.path.join('/')
  const condition = (kind: string, filter: Expression): Condition => ({ kind: `${kind} ${name}`, filter })
  const { allows, type } = term
  const values = sampleValues(observedValues(rows, term.path), 4)
  if (allows('isof') && isDistinctType(type)) yield condition('isof', call('isof', path, typeNamed(type)))
  if (type === 'Edm.String') {
    if (allows('isof')) yield condition('isof other', call('isof', path, typeNamed('Edm.Int32')))
    if (allows('cast')) yield condition('cast failing', binary('eq', castTo(path, 'Edm.Int32'), nullLiteral))
    if (allows('matchespattern')) yield* patternConditions(path, values, condition)
  }
  if (type === 'Edm.DateTimeOffset') {
    if (allows('mindatetime') && allows('gt')) yield condition('mindatetime', binary('gt', path, call('mindatetime')))
    if (allows('maxdatetime') && allows('lt')) yield condition('maxdatetime', binary('lt', path, call('maxdatetime')))
    if (allows('totaloffsetminutes')) {
      yield condition('totaloffsetminutes', binary('eq', call('totaloffsetminutes', path), integerLiteral(0)))
    }
  }
  for (const [index, value] of values.entries()) {
    if (allows('cast')) yield* castConditions(path, term, value, condition)
    const literal = literalOf(type, value, session)
    if (!allows('case') || literal === undefined) continue
    const isFirst = binary('eq', path, literal)
    yield condition(
      'case else',
      binary(
        'eq',
        call('case', isFirst, integerLiteral(1), booleanLiteral(true), integerLiteral(2)),
        integerLiteral(1),
      ),
    )
    const next = literalOf(type, values[index + 1], session)
    if (next === undefined) continue
    const isNext = binary('eq', path, next)
    yield condition(
      'case',
      binary('eq', call('case', isFirst, integerLiteral(1), isNext, integerLiteral(2)), integerLiteral(2)),
    )
    if (allows('ne')) {
      const either = call(
        'case',
        binary('ne', path, literal),
        integerLiteral(1),
        binary('ne', path, next),
        integerLiteral(2),
      )
      yield condition('case of both', binary('eq', either, integerLiteral(1)))
    }
  }
}

type MakeCondition = (kind: string, filter: Expression) => Condition

/** Types whose values cannot be taken for those of another type. */
function isDistinctType(type: string): boolean {
  return integerTypes.has(type) || ['Edm.String', 'Edm.Boolean', 'Edm.Date', 'Edm.Guid'].includes(type)
}

function* castConditions(
  path: Expression,
  { type, allows }: Term,
  value: unknown,
  condition: MakeCondition,
): Generator<Condition> {
  const isWhole = integerTypes.has(type)
  if (isWhole || type === 'Edm.Date' || type === 'Edm.Boolean') {
    yield condition('cast to text', binary('eq', castTo(path, 'Edm.String'), stringLiteral(String(value))))
  }
  if (isWhole && typeof value === 'number' && Math.abs(value) < 1e9) {
    yield condition('cast', binary('eq', castTo(path, 'Edm.Int64'), integerLiteral(value)))
    yield condition('cast twice', binary('eq', castTo(castTo(path, 'Edm.String'), 'Edm.Int32'), integerLiteral(value)))
    if (allows('gt')) yield condition('cast', binary('gt', castTo(path, 'Edm.Int64'), integerLiteral(value - 1)))
    if (value > 127) yield condition('cast too large', binary('eq', castTo(path, 'Edm.SByte'), nullLiteral))
  }
  if (type === 'Edm.String' && typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value)) {
    yield condition('cast', binary('eq', castTo(path, 'Edm.Int32'), integerLiteral(Number(value))))
  }
}

/** Letters and digits mean the same in every regular expression dialect. */
function* patternConditions(
  path: Expression,
  values: readonly unknown[],
  condition: MakeCondition,
): Generator<Condition> {
  for (const value of values) {
    const [run] = typeof value === 'string' ? (/[A-Za-z0-9]{2,12}/.exec(value) ?? []) : []
    if (run === undefined) continue
    for (const pattern of [run, `^${run}`, `${run}$`]) {
      yield condition('matchespattern', call('matchespattern', path, stringLiteral(pattern)))
    }
  }
}

function* collectionConditions(
  { path, items: [item, ...others] }: CollectionTerm,
  rows: readonly Row[],
  session: Session,
): Generator<Condition> {
  if (item === undefined || others.length > 0 || item.path.length > 0) return
  const whole = pathTo(path)
  const condition = (name: string, kind: string, ...given: readonly unknown[]): readonly Condition[] => {
    const items = given.flatMap(value => literalOf(item.type, value, session) ?? [])
    const isPlain = items.length === given.length && items.every(isJson)
    if (!item.allows(name) || !isPlain || new Set(given).size < given.length) return []
    return [
      { kind: `${name} ${kind} ${path.join('/')}`, filter: call(name, whole, { kind: 'list', form: 'json', items }) },
    ]
  }
  const shown = rows.flatMap(row => collectionsAt(row, path)).filter(values => values.length > 0)
  const all = sampleValues([...new Set(shown.flat())], 4)
  for (const value of all) {
    yield* condition('hassubset', 'of one', value)
    yield* condition('hassubsequence', 'of one', value)
  }
  for (const values of shown.filter(({ length }) => length > 1).slice(0, 6)) {
    const [first, last] = [values[0], values.at(-1)]
    for (const name of ['hassubset', 'hassubsequence']) {
      yield* condition(name, values.length > 2 ? 'of two apart' : 'of two', first, last)
      yield* condition(name, 'turned', last, first)
      const absent = all.find(value => !values.includes(value))
      if (absent !== undefined) yield* condition(name, 'with another', first, absent)
    }
  }
}

function collectionsAt(row: Row, path: readonly string[]): readonly (readonly unknown[])[] {
  const [holder] = valuesAt([row], path.slice(0, -1))
  const last = path.at(-1)
  const found = isRow(holder) && last !== undefined && Object.hasOwn(holder, last) ? holder[last] : undefined
  return Array.isArray(found) ? [found] : []
}

/** Lists are written as JSON, which has strings, numbers and Booleans. */
function isJson({ type }: Literal): boolean {
  return type === 'String' || type === 'Integer' || type === 'Boolean'
}

/** Conditions on the types of the rows, if the rows show them. */
function* typeConditions({ has }: Grammar, { rows, site }: Snapshot, { service }: Session): Generator<Condition> {
  const { type } = site
  if (!has('isof') || type?.kind !== 'entityType') return
  yield { kind: 'isof own', filter: call('isof', typeNamed(type.qualifiedName)) }
  if (!rows.some(row => Object.hasOwn(row, '@odata.type'))) return
  for (const derived of service.entityTypes) {
    if (derived !== type && isKindOf(derived, type)) {
      yield { kind: 'isof derived', filter: call('isof', typeNamed(derived.qualifiedName)) }
    }
  }
}

function typeNamed(name: string): Expression {
  return { kind: 'type', name, collection: false }
}

function castTo(value: Expression, type: string): Expression {
  return call('cast', value, typeNamed(type))
}
