import type { PathExpression } from '../../runtime/query/index.js'
import type { Row } from '../json.js'
import type { TruthSet } from './truth-set.js'
import { mapValues, type PossibleValues, readJson, type Value, type ValueContext } from './values.js'

/** Prepares a path: from the row, or from a lambda variable. */
export function pathEvaluator({ root, segments }: PathExpression, subject: EvaluationContext): ValueEvaluator {
  if (root?.kind === 'this' || root?.kind === 'root') return () => 'unknown'
  const steps = segments.map(segment => stepEvaluator(segment, subject))
  const follow = (start: PossibleValues, scope: Scope): PossibleValues => {
    let value = start
    for (const next of steps) value = mapValues(value, next(scope))
    return value
  }
  const knownOf = pathCacheOf(segments, subject)
  const remembered = (start: Item, scope: Scope): PossibleValues => {
    const known = knownOf(start.type)
    const found = known?.get(start.row)
    if (found !== undefined) return found
    const value = follow([start], scope)
    known?.set(start.row, value)
    return value
  }
  if (root?.kind === 'variable') {
    return scope => {
      const start = variableOf(scope, root.name)
      const item = onlyItem(start)
      return item === undefined ? follow(start, scope) : remembered(item, scope)
    }
  }
  return scope => remembered({ kind: 'item', row: scope.row, type: subject.type }, scope)
}

/** Where values of a path of names are kept, by the row that it starts from, or the item of a collection. */
function pathCacheOf(
  segments: readonly Segment[],
  { pathCache: read }: EvaluationContext,
): (type: string | undefined) => WeakMap<Row, PossibleValues> | undefined {
  if (read === undefined || !segments.every(segment => segment.kind === 'property')) return () => undefined
  const path = segments.map(segment => segment.name).join('/')
  let last: { readonly type: string | undefined; readonly known: WeakMap<Row, PossibleValues> } | undefined
  return type => {
    if (last !== undefined && last.type === type) return last.known
    const id = `${type} ${path}`
    const known = read.get(id) ?? new WeakMap<Row, PossibleValues>()
    read.set(id, known)
    last = { type, known }
    return known
  }
}

type Item = Extract<Value, { readonly kind: 'item' }>

function onlyItem(value: PossibleValues): Item | undefined {
  const [only] = value === 'unknown' || value.length > 1 ? [] : value
  return typeof only === 'object' && only?.kind === 'item' ? only : undefined
}

type Segment = PathExpression['segments'][number]

function stepEvaluator(
  segment: Segment,
  subject: EvaluationContext,
): (scope: Scope) => (value: Value) => PossibleValues {
  switch (segment.kind) {
    case 'property':
      return scope => value => member(value, segment.name, scope, subject)
    case 'count':
      if (segment.filter !== undefined || segment.search !== undefined) return () => () => 'unknown'
      return () => countOf
    case 'cast':
      return () => value => castTo(value, segment.type)
    default:
      return () => () => 'unknown'
  }
}

function countOf(value: Value): PossibleValues {
  if (value === null || typeof value === 'boolean' || value.kind !== 'items') return 'unknown'
  const length = BigInt(value.items.length)
  return [{ kind: 'number', value: { numerator: length, denominator: 1n }, isInteger: true, approximate: false }]
}

function castTo(value: Value, type: string): PossibleValues {
  if (value === null) return [null]
  if (typeof value === 'boolean' || value.kind !== 'item') return 'unknown'
  const shown = Object.hasOwn(value.row, '@odata.type') ? value.row['@odata.type'] : undefined
  const name = type.slice(type.lastIndexOf('.') + 1)
  return typeof shown === 'string' && shown.endsWith(`.${name}`) ? [{ ...value, type: name }] : 'unknown'
}

/** A property of an item. What is not shown may be null, where it was asked for; a relation must have been expanded. */
function member(value: Value, name: string, scope: Scope, subject: EvaluationContext): PossibleValues {
  if (value === null) return [null]
  if (typeof value === 'boolean' || value.kind !== 'item' || value.type === undefined) return 'unknown'
  const info = Object.hasOwn(subject.types, value.type) ? subject.types[value.type] : undefined
  if (info === undefined || (info.kind !== 'entityType' && info.kind !== 'complexType')) return 'unknown'
  const json = Object.hasOwn(value.row, name) ? value.row[name] : undefined
  if (Object.hasOwn(info.navigation, name)) {
    const relation = info.navigation[name]
    if (relation === undefined || json === undefined) return 'unknown'
    return readJson(json, relation.type, relation.collection === true, subject)
  }
  const property = Object.hasOwn(info.properties, name) ? info.properties[name] : undefined
  if (property === undefined) return 'unknown'
  if (json !== undefined) return readJson(json, property.type, property.collection === true, subject)
  const isAsked = value.row === scope.row ? subject.properties.has(name) : info.kind === 'complexType'
  return isAsked && !subject.semantics.absentIsDistinct.possible ? [null] : 'unknown'
}

/** What an expression is evaluated over: rows of a type, of which some properties are known. */
export interface EvaluationContext extends ValueContext {
  /** The unqualified name of the rows' type. */
  readonly type: string
  /** What a row lacks beside these is not known. */
  readonly properties: ReadonlySet<string>
  /** Milliseconds since 1970. */
  readonly now: number
  /** What paths from rows were found to be, when many expressions are evaluated over the same rows. */
  readonly pathCache?: Map<string, WeakMap<Row, PossibleValues>>
}

/** A row, and the lambda variables around the expression. */
interface Scope {
  readonly row: Row
  readonly variables?: Variable
}

export interface Variable {
  readonly name: string
  readonly value: PossibleValues
  readonly outer?: Variable
}

/** An expression, prepared. */
export type ValueEvaluator = (scope: Scope) => PossibleValues
/** A condition, prepared. */
export type TruthEvaluator = (scope: Scope) => TruthSet

/** What a lambda variable stands for. */
function variableOf({ variables }: Scope, name: string): PossibleValues {
  for (let each = variables; each !== undefined; each = each.outer) if (each.name === name) return each.value
  return 'unknown'
}
