import type { PathExpression } from '../../runtime/query/index.js'
import type { Row } from '../json.js'
import type { TruthSet } from './truth-set.js'
import { castTo, type Item, mapValues, type PossibleValues, readJson, type Value, type ValueContext } from './values.js'

/** Prepares a path from the row or from a lambda variable. */
export function pathEvaluator({ root, segments }: PathExpression, context: EvaluationContext): ValueEvaluator {
  if (root?.kind === 'this' || root?.kind === 'root') return () => 'unknown'
  const steps = segments.map(segment => stepEvaluator(segment, context))
  const follow = (start: PossibleValues, scope: Scope): PossibleValues => {
    let value = start
    for (const next of steps) value = mapValues(value, next(scope))
    return value
  }
  const knownOf = pathCacheOf(segments, context)
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
  return scope => remembered({ kind: 'item', row: scope.row, type: context.type }, scope)
}

/** Caches the values of a property path by the row, or the item of a collection, where it starts. */
function pathCacheOf(
  segments: readonly Segment[],
  { pathCache }: EvaluationContext,
): (type: string | undefined) => WeakMap<Row, PossibleValues> | undefined {
  if (pathCache === undefined || !segments.every(segment => segment.kind === 'property')) return () => undefined
  const path = segments.map(segment => segment.name).join('/')
  let last: { readonly type: string | undefined; readonly known: WeakMap<Row, PossibleValues> } | undefined
  return type => {
    if (last !== undefined && last.type === type) return last.known
    const id = `${type} ${path}`
    const known = pathCache.get(id) ?? new WeakMap<Row, PossibleValues>()
    pathCache.set(id, known)
    last = { type, known }
    return known
  }
}

function onlyItem(value: PossibleValues): Item | undefined {
  const [only] = value === 'unknown' || value.length > 1 ? [] : value
  return typeof only === 'object' && only?.kind === 'item' ? only : undefined
}

type Segment = PathExpression['segments'][number]

function stepEvaluator(
  segment: Segment,
  context: EvaluationContext,
): (scope: Scope) => (value: Value) => PossibleValues {
  switch (segment.kind) {
    case 'property':
      return scope => value => member(value, segment.name, scope, context)
    case 'count':
      if (segment.filter !== undefined || segment.search !== undefined) return () => () => 'unknown'
      return () => countOf
    case 'cast':
      return () => value => castTo(value, segment.type, context)
    default:
      return () => () => 'unknown'
  }
}

function countOf(value: Value): PossibleValues {
  if (value === null || typeof value === 'boolean' || value.kind !== 'items') return 'unknown'
  const length = BigInt(value.items.length)
  return [{ kind: 'number', value: { numerator: length, denominator: 1n }, isInteger: true, approximate: false }]
}

/**
 * The value of a property. An omitted property that was requested is null; a navigation property is known only if it
 * was expanded.
 */
function member(value: Value, name: string, scope: Scope, context: EvaluationContext): PossibleValues {
  if (value === null) return [null]
  if (typeof value === 'boolean' || value.kind !== 'item' || value.type === undefined) return 'unknown'
  const info = Object.hasOwn(context.types, value.type) ? context.types[value.type] : undefined
  if (info === undefined || (info.kind !== 'entityType' && info.kind !== 'complexType')) return 'unknown'
  const json = Object.hasOwn(value.row, name) ? value.row[name] : undefined
  if (Object.hasOwn(info.navigation, name)) {
    const relation = info.navigation[name]
    if (relation === undefined || json === undefined) return 'unknown'
    return readJson(json, relation.type, relation.collection === true, context)
  }
  const property = Object.hasOwn(info.properties, name) ? info.properties[name] : undefined
  if (property === undefined) return 'unknown'
  if (value.row === scope.row && context.rendered?.has(name)) return 'unknown'
  if (json !== undefined) return readJson(json, property.type, property.collection === true, context)
  const isAsked = value.row === scope.row ? context.properties.has(name) : info.kind === 'complexType'
  return isAsked && !context.semantics.absentIsDistinct.possible ? [null] : 'unknown'
}

/** What expressions are evaluated over: rows of one type, of which some properties are known. */
export interface EvaluationContext extends ValueContext {
  /** The unqualified name of the rows' type. */
  readonly type: string
  /** A property outside this set is unknown. */
  readonly properties: ReadonlySet<string>
  /** Properties that the service may store in another form than it shows. Their values are unknown. */
  readonly rendered?: ReadonlySet<string>
  /** Milliseconds since 1970. */
  readonly now: number
  /** Caches the values of paths while many expressions are evaluated over the same rows. */
  readonly pathCache?: Map<string, WeakMap<Row, PossibleValues>>
}

/** A row, and the lambda variables in scope. */
interface Scope {
  readonly row: Row
  readonly variables?: Variable
}

export interface Variable {
  readonly name: string
  readonly value: PossibleValues
  readonly outer?: Variable
}

/** A prepared expression. */
export type ValueEvaluator = (scope: Scope) => PossibleValues
/** A prepared condition. */
export type TruthEvaluator = (scope: Scope) => TruthSet

/** The value of a lambda variable. */
function variableOf({ variables }: Scope, name: string): PossibleValues {
  for (let each = variables; each !== undefined; each = each.outer) if (each.name === name) return each.value
  return 'unknown'
}
