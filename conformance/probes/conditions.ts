import { type Expression, printFilter } from '../../runtime/query/index.js'
import type { Snapshot } from '../discover/site.js'
import type { Row } from '../json.js'
import type { Session } from '../session/session.js'
import { operatorsIn } from './bug-models/bug-model.js'
import { binary, integerLiteral, joinConditions, not, nullLiteral, pathTo } from './expressions.js'
import type { CollectionTerm, Condition, Grammar, Term } from './grammar.js'
import { literalOf, observedValues, sampleValues } from './observed-values.js'
import { rareConditions } from './rare-conditions.js'
import { letterConditions, partConditions, spaceConditions, textConditions } from './text-conditions.js'
import { edgeConditions, valueConditions } from './value-conditions.js'

/** In total, and per property if there are many. */
const conditionLimits = { least: 180, most: 320, each: 13 }
const maxConditionLength = 500

const conditionCache = new WeakMap<Snapshot, Map<unknown, readonly Condition[]>>()

/** Conditions on the rows of a snapshot, within what the spec declares. */
export function conditionsOf(grammar: Grammar, snapshot: Snapshot, session: Session): readonly Condition[] {
  const made = conditionCache.get(snapshot) ?? new Map<unknown, readonly Condition[]>()
  conditionCache.set(snapshot, made)
  // The only choice that affects how values are written.
  const way = session.choices.get('guidLiteral')
  const all = made.get(way) ?? createConditions(grammar, snapshot, session)
  made.set(way, all)
  return all
}

function createConditions(grammar: Grammar, snapshot: Snapshot, session: Session): readonly Condition[] {
  const found = new Map<string, Condition>()
  const { rows } = snapshot
  const terms = grammar.terms.filter(({ path: [name] }) => name !== undefined && snapshot.properties.has(name))
  const seen = new Set<string>()
  const sources = [
    ...terms.map(term =>
      termConditions(pathTo(term.path), term, observedValues(rows, term.path), term.path.join('/'), session, seen),
    ),
    ...grammar.collections.map(collection => collectionConditions(collection, grammar, rows, session, seen)),
    ...alternating(rareConditions(grammar, snapshot, session)),
  ]
  const limit = Math.min(conditionLimits.most, Math.max(conditionLimits.least, sources.length * conditionLimits.each))
  const add = (condition: Condition): void => {
    const printed = printFilter(condition.filter)
    if (encodeURIComponent(printed).length <= maxConditionLength) found.set(printed, condition)
  }
  // Round-robin, so that no property dominates.
  let open = sources
  while (open.length > 0 && found.size < limit) {
    open = open.filter(source => {
      const next = source.next()
      if (next.done !== true) add(next.value)
      return next.done !== true
    })
  }
  // Beyond the limit, only operators and functions that no condition has yet.
  const used = new Set([...found.values()].flatMap(({ filter }) => [...operatorsIn(filter)]))
  for (const source of open) {
    for (let next = source.next(); next.done !== true; next = source.next()) {
      const operators = [...operatorsIn(next.value.filter)]
      if (operators.every(operator => used.has(operator))) continue
      add(next.value)
      for (const operator of operators) used.add(operator)
    }
  }
  return [...found.values()]
}

/** Two sources, so that rarely supported functions get two turns per round. */
function alternating(conditions: readonly Condition[]): readonly Iterator<Condition>[] {
  return [0, 1].map(turn => conditions.filter((_, index) => index % 2 === turn).values())
}

function* termConditions(
  path: Expression,
  term: Term,
  values: readonly unknown[],
  name: string,
  session: Session,
  seen: Set<string>,
): Generator<Condition> {
  if (term.nullable) {
    yield { kind: `eq null ${name}`, filter: binary('eq', path, nullLiteral) }
    if (term.allows('ne')) yield { kind: `ne null ${name}`, filter: binary('ne', path, nullLiteral) }
  }
  yield* edgeConditions(path, term, values, name, session)
  if (term.type !== 'Edm.String') return yield* valueConditions(path, term, values, name, session)
  const texts = values.filter(isText)
  yield* spaceConditions(path, term, texts, name)
  yield* letterConditions(path, term, texts, name)
  yield* partConditions(path, term, texts, name)
  yield* textConditions(path, term, texts, name, seen)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && isLiteralText(value)
}

function isLiteralText(value: string): boolean {
  return literalOf('Edm.String', value, { choices: { get: () => undefined }, types: {} }) !== undefined
}

/** Conditions on the items of a collection, and on their number. */
function* collectionConditions(
  { path, items }: CollectionTerm,
  grammar: Grammar,
  rows: readonly Row[],
  session: Session,
  seen: Set<string>,
): Generator<Condition> {
  const name = path.join('/')
  const collection = pathTo(path)
  const over = (operator: 'any' | 'all', kind: string, predicate: Expression): Condition => ({
    kind: `${operator} ${kind} ${name}`,
    filter: { kind: 'lambda', operator, collection, variable: 'x', predicate },
  })
  const inner = items.map(term => {
    const values = observedValues(rows, [...path, ...term.path])
    return [
      ...termConditions(
        pathTo(term.path, 'x'),
        term,
        sampleValues(values, 4, seen),
        term.path.join('/'),
        session,
        seen,
      ),
    ]
  })
  for (let index = 0; index < 60; index++) {
    for (const conditions of inner) {
      const condition = conditions[index]
      const partner = conditions[(index * 7 + 3) % Math.max(1, conditions.length)]
      if (condition === undefined || partner === undefined) continue
      yield over('any', condition.kind, condition.filter)
      if (grammar.has('or'))
        yield over('any', `${condition.kind} or`, joinConditions('or', condition.filter, partner.filter))
      if (grammar.has('and'))
        yield over('any', `${condition.kind} and`, joinConditions('and', condition.filter, partner.filter))
      if (grammar.has('not')) yield over('any', `${condition.kind} not`, not(condition.filter))
      if (grammar.has('all')) yield over('all', condition.kind, condition.filter)
    }
  }
  if (grammar.has('$count') && grammar.has('gt')) {
    const count: Expression = { kind: 'path', segments: [...collection.segments, { kind: 'count' }] }
    yield { kind: `count ${name}`, filter: binary('gt', count, integerLiteral(1)) }
    yield { kind: `count ${name}`, filter: binary('eq', count, integerLiteral(0)) }
  }
}
