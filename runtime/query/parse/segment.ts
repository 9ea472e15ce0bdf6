import type { PathSegment } from '../ast.js'
import { AT, DOLLAR, DOT, OPEN } from '../lexical/characters.js'
import { identifierEnd } from '../lexical/identifier.js'
import { parseAnnotation } from './annotation.js'
import { parseArguments } from './arguments.js'
import { parseCountSegment, parseFilterSegment } from './collection-segment.js'
import type { Cursor } from './cursor.js'
import { fail } from './fail.js'
import { requireLegalLength, takeQualifiedRest } from './identifier.js'

/** Whether the path may go on behind a segment. */
export type Continuation = 'open' | 'last'

/** One segment behind its `/`, added to `segments`; with the key that follows it, two. @see OData ABNF, `memberExpr` */
export function parseSegment(cursor: Cursor, segments: PathSegment[]): Continuation {
  cursor.steps += 1
  const { text, position } = cursor
  const end = identifierEnd(text, position)
  if (end === position) return parseSpecialSegment(cursor, segments)
  const first = text.slice(position, end)
  requireLegalLength(cursor, first)
  cursor.position = end
  const next = text.charCodeAt(end)
  if (next === DOT) {
    addQualifiedSegment(cursor, takeQualifiedRest(cursor, first), segments)
    return 'open'
  }
  if (next !== OPEN) {
    segments.push({ kind: 'property', name: first })
    return 'open'
  }
  addCalledSegment(cursor, first, segments)
  return 'open'
}

function parseSpecialSegment(cursor: Cursor, segments: PathSegment[]): Continuation {
  const { text, position } = cursor
  const code = text.charCodeAt(position)
  if (code === AT) {
    segments.push(parseAnnotation(cursor))
    return 'open'
  }
  if (code === DOLLAR && text.startsWith('$count', position)) {
    segments.push(parseCountSegment(cursor))
    return 'last'
  }
  if (code === DOLLAR && text.startsWith('$filter(', position)) {
    segments.push(parseFilterSegment(cursor))
    if (text.charCodeAt(cursor.position) === OPEN) addKey(cursor, segments)
    return 'open'
  }
  return fail(cursor, position, ['a name', '`$count`', '`$filter(`', 'an annotation (@ns.term)'])
}

/** `/ns.type`, `/ns.type('key')` or `/ns.function(…)`. */
function addQualifiedSegment(cursor: Cursor, name: string, segments: PathSegment[]): void {
  if (cursor.text.charCodeAt(cursor.position) !== OPEN) {
    segments.push({ kind: 'cast', type: name })
    return
  }
  const start = cursor.position
  const given = parseArguments(cursor)
  if (given.kind === 'byPosition') fail(cursor, start + 1, ['parameters by name (`name=value`)'])
  if (given.kind === 'none') {
    segments.push({ kind: 'function', name, parameters: [] })
  } else if (given.kind === 'byName') {
    segments.push({ kind: 'function', name, parameters: given.parameters })
  } else if (given.values.every(hasName)) {
    segments.push({ kind: 'function', name, parameters: given.values })
  } else {
    segments.push({ kind: 'cast', type: name }, { kind: 'key', values: given.values })
  }
}

function hasName<Value extends { readonly name?: string }>(value: Value): value is Value & { readonly name: string } {
  return value.name !== undefined
}

/** `/name('key')`, `/name(a=1,b=2)` or `/function(…)`. */
function addCalledSegment(cursor: Cursor, name: string, segments: PathSegment[]): void {
  const start = cursor.position
  const given = parseArguments(cursor)
  if (given.kind === 'byPosition') fail(cursor, start + 1, ['a key', 'parameters by name (`name=value`)'])
  if (given.kind === 'key') {
    segments.push({ kind: 'property', name }, { kind: 'key', values: given.values })
  } else {
    segments.push({ kind: 'function', name, parameters: given.kind === 'none' ? [] : given.parameters })
  }
}

function addKey(cursor: Cursor, segments: PathSegment[]): void {
  const start = cursor.position
  const given = parseArguments(cursor)
  if (given.kind !== 'key') fail(cursor, start + 1, ['a key'])
  segments.push({ kind: 'key', values: given.values })
}
