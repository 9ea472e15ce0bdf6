import type { Expression, Literal } from '../../../runtime/query/index.js'

/** A tree with each expression changed that the function changes, from the leaves up; the same tree when none is. */
export function rewrite(expression: Expression, change: (part: Expression) => Expression | undefined): Expression {
  const inner = rewriteParts(expression, change)
  return change(inner) ?? inner
}

function rewriteParts(expression: Expression, change: (part: Expression) => Expression | undefined): Expression {
  switch (expression.kind) {
    case 'unary': {
      const operand = rewrite(expression.operand, change)
      return operand === expression.operand ? expression : { ...expression, operand }
    }
    case 'binary': {
      const left = rewrite(expression.left, change)
      const right = rewrite(expression.right, change)
      return left === expression.left && right === expression.right ? expression : { ...expression, left, right }
    }
    case 'call': {
      const given = expression.arguments.map(argument => rewrite(argument, change))
      return given.every((argument, index) => argument === expression.arguments[index])
        ? expression
        : { ...expression, arguments: given }
    }
    case 'lambda': {
      if (expression.predicate === undefined) return expression
      const predicate = rewrite(expression.predicate, change)
      return predicate === expression.predicate ? expression : { ...expression, predicate }
    }
    case 'list': {
      const items = expression.items.map(item => rewrite(item, change))
      return items.every((item, index) => item === expression.items[index]) ? expression : { ...expression, items }
    }
    default:
      return expression
  }
}

/** Changes an expression; the result is absent when nothing was changed. */
export function rewritten(
  expression: Expression,
  change: (part: Expression) => Expression | undefined,
): Expression | undefined {
  const result = rewrite(expression, change)
  return result === expression ? undefined : result
}

/** Changes string literals. */
export function onTexts(change: (text: string) => string): (expression: Expression) => Expression | undefined {
  return expression =>
    rewritten(expression, part => {
      if (part.kind !== 'literal' || part.type !== 'String') return undefined
      const value = change(part.value)
      return value === part.value ? undefined : { ...part, value }
    })
}

export function isNull(expression: Expression): boolean {
  return expression.kind === 'literal' && expression.type === 'null'
}

export const never: Literal = { kind: 'literal', type: 'Boolean', value: false }
export const always: Literal = { kind: 'literal', type: 'Boolean', value: true }

/** Whether some part of an expression is of a kind. */
export function hasPart(expression: Expression, isIt: (part: Expression) => boolean): boolean {
  if (isIt(expression)) return true
  switch (expression.kind) {
    case 'unary':
      return hasPart(expression.operand, isIt)
    case 'binary':
      return hasPart(expression.left, isIt) || hasPart(expression.right, isIt)
    case 'call':
      return expression.arguments.some(argument => hasPart(argument, isIt))
    case 'lambda':
      return expression.predicate !== undefined && hasPart(expression.predicate, isIt)
    default:
      return false
  }
}
