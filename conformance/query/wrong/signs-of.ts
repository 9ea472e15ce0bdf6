import type { Expression } from '../../../runtime/query/index.js'
import type { WrongInterpreter } from './wrong-interpreter.js'

const known = new WeakMap<Expression, ReadonlySet<string>>()

/** The operators, functions and types of literals in an expression, by which wrong interpreters are told to look at it. */
export function signsOf(expression: Expression): ReadonlySet<string> {
  const before = known.get(expression)
  if (before !== undefined) return before
  const signs = new Set<string>()
  collect(expression, signs)
  known.set(expression, signs)
  return signs
}

/** Whether an interpreter may misread a condition with these signs. */
export function mayMisread({ signs }: Pick<WrongInterpreter, 'signs'>, found: ReadonlySet<string>): boolean {
  return signs === undefined || signs.some(sign => found.has(sign))
}

function collect(expression: Expression, signs: Set<string>): void {
  switch (expression.kind) {
    case 'literal':
      signs.add(expression.type)
      break
    case 'unary':
      signs.add(expression.operator)
      collect(expression.operand, signs)
      break
    case 'binary':
      signs.add(expression.operator)
      collect(expression.left, signs)
      collect(expression.right, signs)
      break
    case 'call':
      signs.add(expression.function)
      for (const argument of expression.arguments) collect(argument, signs)
      break
    case 'lambda':
      signs.add(expression.operator)
      if (expression.predicate !== undefined) collect(expression.predicate, signs)
      break
    case 'list':
      for (const item of expression.items) collect(item, signs)
      break
    default:
  }
}
