import type { KeyValue, PathExpression, PathRoot, PathSegment } from '../ast.js'
import { isQualifiedName } from '../lexical/identifier.js'
import { canonicalFunctions } from '../parse/canonical-functions.js'
import type { Scope } from '../parse/cursor.js'
import { keywordLiteral } from '../parse/keyword-literal.js'
import { PrintError } from '../print-error.js'
import { printIdentifier } from './names.js'
import { type Place, within } from './place.js'
import { printSegment } from './segment.js'

const otherFunctions: ReadonlySet<string> = new Set(['case', 'cast', 'isof', 'any', 'all', 'not'])

/** `$it/from/emailAddress`. @throws {PrintError} when the path would be read as something else */
export function printPath(path: PathExpression, place: Place): string {
  const { root, segments } = path
  const text = printCollectionPath(path, place, true)
  const only = segments.length + (root === undefined ? 0 : 1) === 1
  const [first] = segments
  if (root === undefined && only && first?.kind === 'cast') unprintable('A path cannot consist of a type cast alone.')
  if (root === undefined && only && first?.kind === 'annotation' && text.search(/[.#]/) === -1) {
    unprintable(`${text} alone would be a parameter alias.`)
  }
  if (root?.kind === 'root' && segments.length === 0) unprintable('`$root` alone is no path.')
  if (!only) return text
  if (keywordLiteral(text) !== undefined)
    unprintable(`A path that is only the name ${text} would be read as a literal.`)
  return text.toLowerCase() === 'not' ? printNameNot(text, place) : text
}

/** Bare, the name `not` could be the operator. */
function printNameNot(text: string, place: Place): string {
  within(place)
  return `(${text})`
}

/** The path as far as the `/` before a lambda operator. */
export function printCollectionPath({ root, segments }: PathExpression, place: Place, complete = false): string {
  const start = root === undefined ? undefined : printRoot(root, place.scope)
  const parts: string[] = start === undefined ? [] : [start]
  segments.forEach((segment, index) => {
    const previous = segments[index - 1]
    if (segment.kind === 'count' && (index < segments.length - 1 || !complete)) unprintable('`$count` ends a path.')
    if (segment.kind === 'key') {
      requireKeyFits(segment.values, previous, index === 1 && root === undefined, place.scope)
      parts.push(`${parts.pop() ?? ''}${printSegment(segment, place)}`)
    } else {
      if (index === 0 && root === undefined) requireFirst(segment, place.scope)
      else requireLater(segment)
      parts.push(printSegment(segment, place))
    }
  })
  if (parts.length === 0) unprintable('A path needs a root or a segment.')
  return parts.join('/')
}

function printRoot(root: PathRoot, scope: Scope | undefined): string {
  if (root.kind !== 'variable') return `$${root.kind}`
  if (!isInScope(scope, root.name))
    unprintable(`The variable ${JSON.stringify(root.name)} belongs to no lambda around it.`)
  return printIdentifier(root.name)
}

function requireFirst(segment: PathSegment, scope: Scope | undefined): void {
  if (segment.kind === 'property' && isInScope(scope, segment.name)) {
    unprintable(
      `Within a lambda over the variable ${segment.name}, the property of this name can only be reached as $it/${segment.name}.`,
    )
  }
  if (
    segment.kind === 'function' &&
    (!isQualifiedName(segment.name) || canonicalFunctions.has(segment.name.toLowerCase()))
  ) {
    unprintable(`The function ${JSON.stringify(segment.name)} needs a namespace, or a path before it.`)
  }
  if (segment.kind === 'filter' || segment.kind === 'count')
    unprintable(`\`$${segment.kind}\` needs a collection before it.`)
}

function requireLater(segment: PathSegment): void {
  if (segment.kind !== 'function' || isQualifiedName(segment.name)) return
  const { name, parameters } = segment
  const operator = name.toLowerCase()
  if (operator === 'any' || operator === 'all')
    unprintable(`A function named ${name} would be read as a lambda operator.`)
  if (parameters.length > 0 && parameters.every(({ value }) => value.kind === 'literal' || value.kind === 'alias')) {
    unprintable(`The function ${name} with literals alone would be read as an item by key: qualify its name.`)
  }
}

function requireKeyFits(
  values: readonly KeyValue[],
  previous: PathSegment | undefined,
  atStart: boolean,
  scope: Scope | undefined,
): void {
  if (previous?.kind === 'property') {
    const name = previous.name.toLowerCase()
    const taken = atStart ? canonicalFunctions.has(name) || otherFunctions.has(name) : name === 'any' || name === 'all'
    if (taken || (atStart && isInScope(scope, previous.name)))
      unprintable(`${previous.name}(…) would not be read as an item by key.`)
  } else if (previous?.kind === 'cast') {
    if (atStart || values.some(({ name }) => name !== undefined))
      unprintable(`${previous.type}(…) would be read as a function.`)
  } else if (previous?.kind !== 'filter') {
    unprintable('A key needs a name, a type cast or `$filter` before it.')
  }
}

function isInScope(scope: Scope | undefined, name: string): boolean {
  for (let inner = scope; inner !== undefined; inner = inner.outer) {
    if (inner.variable === name) return true
  }
  return false
}

function unprintable(message: string): never {
  throw new PrintError(message)
}
