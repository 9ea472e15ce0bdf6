/**
 * Builders of the syntax tree that the adapters in `peers/` translate each peer's own tree into.
 *
 * The shapes are those of `runtime/query/ast.ts`.
 *
 * @typedef {import('../../build/runtime/query/ast.js').Expression} Expression
 * @typedef {import('../../build/runtime/query/ast.js').PathExpression} PathExpression
 */

/** A peer's tree that has no counterpart in ours: the peer accepted the text, but cannot be shown to be right. */
export class NoCounterpart extends Error {}

export const nullLiteral = { kind: 'literal', type: 'null', value: null }
export const boolean = value => ({ kind: 'literal', type: 'Boolean', value })
/** @param {string} value */
export const text = value => ({ kind: 'literal', type: 'String', value })
/** Any number; the comparison looks at its value and not at how it was written. @param {number | string} value */
export const number = value => ({ kind: 'literal', type: 'Decimal', value: String(value) })

export const not = operand => ({ kind: 'unary', operator: 'not', operand })
export const negate = operand => ({ kind: 'unary', operator: 'negate', operand })
export const binary = (operator, left, right) => ({ kind: 'binary', operator, left, right })
export const call = (name, args) => ({ kind: 'call', function: name, arguments: args })
export const list = items => ({ kind: 'list', form: 'parentheses', items })
export const type = name => ({ kind: 'type', name, collection: false })
export const alias = name => ({ kind: 'alias', name })

/**
 * A path of names; it starts at a lambda variable when its first name is one of those in scope.
 *
 * @param {readonly string[]} names
 * @param {readonly string[]} [variables] lambda variables in scope
 * @returns {PathExpression}
 */
export function path(names, variables = []) {
  const [first = '', ...rest] = names
  return variables.includes(first)
    ? { kind: 'path', root: { kind: 'variable', name: first }, segments: rest.map(property) }
    : { kind: 'path', segments: names.map(property) }
}

export const property = name => ({ kind: 'property', name })

/** The path with one more segment. */
export const extend = (start, ...segments) => ({ ...start, segments: [...start.segments, ...segments] })

export const count = start => extend(start, { kind: 'count' })

/** `collection/any(variable:predicate)`; both are absent in `any()`. */
export const lambda = (operator, collection, variable, predicate) => ({
  kind: 'lambda',
  operator,
  collection,
  ...(variable !== undefined && { variable, predicate }),
})

/** The value of a primitive that a peer already turned into a JavaScript value. */
export function scalar(value) {
  if (value === null) return nullLiteral
  if (typeof value === 'boolean') return boolean(value)
  if (typeof value === 'number') return number(value)
  if (typeof value === 'string') return text(value)
  if (Buffer.isBuffer(value)) return text(value.toString('base64url'))
  if (value instanceof Date) return text(value.toISOString())
  throw new NoCounterpart(`literal ${JSON.stringify(value)}`)
}
