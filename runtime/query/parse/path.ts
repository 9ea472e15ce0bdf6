import type { LambdaExpression, PathExpression, PathRoot, PathSegment } from '../ast.js'
import { SLASH } from '../lexical/characters.js'
import type { Cursor, Scope } from './cursor.js'
import { parseLambda, peekLambdaOperator } from './lambda.js'
import { take } from './punctuation.js'
import { parseSegment } from './segment.js'

/** A path whose first name, a variable or a property, was just read. @see OData ABNF, `firstMemberExpr` */
export function parsePath(cursor: Cursor, first: string): PathExpression | LambdaExpression {
  return isVariable(cursor.scope, first)
    ? parsePathFrom(cursor, { kind: 'variable', name: first }, [])
    : parsePathFrom(cursor, undefined, [{ kind: 'property', name: first }])
}

/** The rest of a path, from its next `/` on; `segments` is taken over and added to. */
export function parsePathFrom(
  cursor: Cursor,
  root: PathRoot | undefined,
  segments: PathSegment[],
): PathExpression | LambdaExpression {
  const path: PathExpression = root === undefined ? { kind: 'path', segments } : { kind: 'path', root, segments }
  while (take(cursor, SLASH)) {
    const operator = peekLambdaOperator(cursor)
    if (operator !== undefined) return parseLambda(cursor, operator, path)
    if (parseSegment(cursor, segments) === 'last') return path
  }
  return path
}

function isVariable(scope: Scope | undefined, name: string): boolean {
  for (let inner = scope; inner !== undefined; inner = inner.outer) {
    if (inner.variable === name) return true
  }
  return false
}
