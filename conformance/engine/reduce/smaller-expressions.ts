import type { Expression, Literal } from '../../../runtime/query/index.js'

/** Predicates with less in them, the shortest first: an operand in place of the whole, then smaller parts. */
export function* smallerExpressions(expression: Expression): Iterable<Expression> {
  switch (expression.kind) {
    case 'unary':
      yield expression.operand
      for (const operand of smallerExpressions(expression.operand)) yield { ...expression, operand }
      break
    case 'binary': {
      const { left, right, operator } = expression
      if (operator === 'and' || operator === 'or') {
        yield left
        yield right
      }
      for (const smaller of smallerExpressions(left)) yield { ...expression, left: smaller }
      for (const smaller of smallerExpressions(right)) yield { ...expression, right: smaller }
      break
    }
    case 'call': {
      const [first, ...others] = expression.arguments
      if (first !== undefined && others.length === 0 && isTextual.has(expression.function)) yield first
      for (const [index, argument] of expression.arguments.entries()) {
        for (const smaller of smallerExpressions(argument)) {
          yield { ...expression, arguments: expression.arguments.with(index, smaller) }
        }
      }
      break
    }
    case 'lambda': {
      if (expression.predicate === undefined) break
      for (const predicate of smallerExpressions(expression.predicate)) yield { ...expression, predicate }
      break
    }
    case 'list':
      if (expression.items.length > 1) {
        for (const index of expression.items.keys())
          yield { ...expression, items: expression.items.toSpliced(index, 1) }
      }
      break
    case 'literal':
      yield* smallerLiterals(expression)
      break
    default:
      break
  }
}

/** Functions from text to text: what they are given stands for them. */
const isTextual: ReadonlySet<string> = new Set(['tolower', 'toupper', 'trim'])

function* smallerLiterals(literal: Literal): Iterable<Literal> {
  if (literal.type !== 'String') return
  const letters = [...literal.value]
  if (letters.length < 2) return
  const half = Math.ceil(letters.length / 2)
  yield { ...literal, value: letters.slice(0, half).join('') }
  yield { ...literal, value: letters.slice(half).join('') }
  if (letters.length > 2) {
    yield { ...literal, value: letters.slice(1).join('') }
    yield { ...literal, value: letters.slice(0, -1).join('') }
  }
}
