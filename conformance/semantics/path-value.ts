import type { PathExpression } from '../../runtime/query/index.js'
import type { Row } from '../json.js'
import { readJson } from './read-value.js'
import { type Scope, type ValueOf, variableOf } from './scope.js'
import type { Subject } from './subject.js'
import { mapped, type Possible, type Value } from './value.js'

/** Prepares a path: from the row, or from a lambda variable. */
export function pathValue({ root, segments }: PathExpression, subject: Subject): ValueOf {
  if (root?.kind === 'this' || root?.kind === 'root') return () => 'unknown'
  const steps = segments.map(segment => step(segment, subject))
  const follow = (start: Possible, scope: Scope): Possible => {
    let value = start
    for (const next of steps) value = mapped(value, next(scope))
    return value
  }
  const knownOf = knownPath(segments, subject)
  const remembered = (start: Item, scope: Scope): Possible => {
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
function knownPath(
  segments: readonly Segment[],
  { read }: Subject,
): (type: string | undefined) => WeakMap<Row, Possible> | undefined {
  if (read === undefined || !segments.every(segment => segment.kind === 'property')) return () => undefined
  const path = segments.map(segment => segment.name).join('/')
  let last: { readonly type: string | undefined; readonly known: WeakMap<Row, Possible> } | undefined
  return type => {
    if (last !== undefined && last.type === type) return last.known
    const id = `${type} ${path}`
    const known = read.get(id) ?? new WeakMap<Row, Possible>()
    read.set(id, known)
    last = { type, known }
    return known
  }
}

type Item = Extract<Value, { readonly kind: 'item' }>

function onlyItem(value: Possible): Item | undefined {
  const [only] = value === 'unknown' || value.length > 1 ? [] : value
  return typeof only === 'object' && only?.kind === 'item' ? only : undefined
}

type Segment = PathExpression['segments'][number]

function step(segment: Segment, subject: Subject): (scope: Scope) => (value: Value) => Possible {
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

function countOf(value: Value): Possible {
  if (value === null || typeof value === 'boolean' || value.kind !== 'items') return 'unknown'
  const length = BigInt(value.items.length)
  return [{ kind: 'number', value: { numerator: length, denominator: 1n }, isInteger: true, approximate: false }]
}

function castTo(value: Value, type: string): Possible {
  if (value === null) return [null]
  if (typeof value === 'boolean' || value.kind !== 'item') return 'unknown'
  const shown = Object.hasOwn(value.row, '@odata.type') ? value.row['@odata.type'] : undefined
  const name = type.slice(type.lastIndexOf('.') + 1)
  return typeof shown === 'string' && shown.endsWith(`.${name}`) ? [{ ...value, type: name }] : 'unknown'
}

/** A property of an item. What is not shown may be null, where it was asked for; a relation must have been expanded. */
function member(value: Value, name: string, scope: Scope, subject: Subject): Possible {
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
  return isAsked && !subject.laws.absentIsDistinct.possible ? [null] : 'unknown'
}
