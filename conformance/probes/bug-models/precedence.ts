import type { Expression } from '../../../runtime/query/index.js'
import { binary, not, operandsOf } from '../expressions.js'
import type { BugModel } from './bug-model.js'

type Join = Extract<Expression, { readonly kind: 'binary' }> & { readonly operator: 'and' | 'or' }

function isJoin(expression: Expression, operator?: 'and' | 'or'): expression is Join {
  if (expression.kind !== 'binary') return false
  return operator === undefined
    ? expression.operator === 'and' || expression.operator === 'or'
    : expression.operator === operator
}

function isNot(expression: Expression): expression is Extract<Expression, { readonly kind: 'unary' }> {
  return expression.kind === 'unary' && expression.operator === 'not'
}

/** Rewrites the operators of a filter bottom-up; keeps the condition objects. */
function onTree(filter: Expression, change: (part: Expression) => Expression): Expression {
  if (isJoin(filter)) {
    const left = onTree(filter.left, change)
    const right = onTree(filter.right, change)
    return change(left === filter.left && right === filter.right ? filter : { ...filter, left, right })
  }
  if (isNot(filter)) {
    const operand = onTree(filter.operand, change)
    return change(operand === filter.operand ? filter : { ...filter, operand })
  }
  return filter
}

/** What stands between operators in the printed filter: conditions, negations and parenthesized parts. */
interface Printed {
  readonly operands: readonly Expression[]
  readonly operators: readonly ('and' | 'or')[]
}

/** The filter as a sequence of operands and operators, as printed without parentheses. */
function printedRow(filter: Expression): Printed {
  if (!isJoin(filter)) return { operands: [filter], operators: [] }
  const left = partOf(filter.left, filter.operator)
  const right = partOf(filter.right, filter.operator)
  return {
    operands: [...left.operands, ...right.operands],
    operators: [...left.operators, filter.operator, ...right.operators],
  }
}

function partOf(part: Expression, operator: 'and' | 'or'): Printed {
  return operator === 'and' && isJoin(part, 'or') ? { operands: [part], operators: [] } : printedRow(part)
}

/** Evaluates from the left or from the right without precedence, but respects parentheses. */
function flat(filter: Expression, fromRight: boolean): Expression {
  if (isNot(filter)) {
    const operand = flat(filter.operand, fromRight)
    return operand === filter.operand ? filter : not(operand)
  }
  if (!isJoin(filter)) return filter
  const { operands, operators } = printedRow(filter)
  const parts = operands.map(operand => flat(operand, fromRight))
  const [first, ...others] = parts
  if (first === undefined) return filter
  if (!fromRight) return others.reduce((left, right, index) => binary(operators[index] ?? 'and', left, right), first)
  return parts.reduceRight((right, left, index) => binary(operators[index] ?? 'and', left, right))
}

/** Evaluates as if `or` had a higher precedence than `and`. */
function orFirst(filter: Expression): Expression {
  if (isNot(filter)) {
    const operand = orFirst(filter.operand)
    return operand === filter.operand ? filter : not(operand)
  }
  if (!isJoin(filter)) return filter
  const { operands, operators } = printedRow(filter)
  const groups: Expression[] = []
  for (const [index, operand] of operands.entries()) {
    const part = orFirst(operand)
    const last = groups.at(-1)
    if (index > 0 && operators[index - 1] === 'or' && last !== undefined)
      groups[groups.length - 1] = binary('or', last, part)
    else groups.push(part)
  }
  const [first, ...others] = groups
  return first === undefined ? filter : others.reduce((left, right) => binary('and', left, right), first)
}

/** Ignores all parentheses. */
function withoutParentheses(filter: Expression): Expression {
  const operands: Expression[] = []
  const operators: ('and' | 'or')[] = []
  const walk = (part: Expression): void => {
    if (isJoin(part)) {
      walk(part.left)
      operators.push(part.operator)
      walk(part.right)
    } else if (isNot(part) && isJoin(part.operand)) {
      const start = operands.length
      walk(part.operand)
      const first = operands[start]
      if (first !== undefined) operands[start] = not(first)
    } else operands.push(part)
  }
  walk(filter)
  const groups: Expression[] = []
  for (const [index, operand] of operands.entries()) {
    const last = groups.at(-1)
    if (index > 0 && operators[index - 1] === 'and' && last !== undefined)
      groups[groups.length - 1] = binary('and', last, operand)
    else groups.push(operand)
  }
  const [first, ...others] = groups
  return first === undefined ? filter : others.reduce((left, right) => binary('or', left, right), first)
}

/** Ignores the parentheses of a group after `and`: `a and (b or c)` is `a and b or c`. */
function groupAfterOpened(filter: Expression): Expression {
  return onTree(filter, part => {
    if (!isJoin(part, 'and') || !isJoin(part.right, 'or')) return part
    const [first, ...others] = operandsOf(part.right, 'or')
    return first === undefined
      ? part
      : others.reduce((left, right) => binary('or', left, right), binary('and', part.left, first))
  })
}

/** Ignores the parentheses of a group before `and`: `(a or b) and c` is `a or b and c`. */
function groupBeforeOpened(filter: Expression): Expression {
  return onTree(filter, part => {
    if (!isJoin(part, 'and') || !isJoin(part.left, 'or')) return part
    return binary('or', part.left.left, binary('and', part.left.right, part.right))
  })
}

/** Applies `not` to everything that follows. */
function wideNot(filter: Expression): Expression {
  return onTree(filter, part => (isJoin(part) && isNot(part.left) ? not({ ...part, left: part.left.operand }) : part))
}

/** Applies `not` to everything that follows, unless its operand is in parentheses. */
function wideNotOfCall(filter: Expression): Expression {
  return onTree(filter, part =>
    isJoin(part) && isNot(part.left) && (part.left.operand.kind === 'call' || part.left.operand.kind === 'lambda')
      ? not({ ...part, left: part.left.operand })
      : part,
  )
}

function joins(id: string, says: string, change: (part: Join) => Expression): BugModel {
  return {
    id,
    description: says,
    rewriteFilter: filter => onTree(filter, part => (isJoin(part) ? change(part) : part)),
  }
}

function shortChain(operator: 'and' | 'or', most: number): BugModel {
  return {
    id: `${operator}-chain-${most}`,
    description: `only ${most} operands of ${operator} are evaluated`,
    rewriteFilter: filter => {
      if (!isJoin(filter, operator)) return filter
      const [first, ...others] = operandsOf(filter, operator).slice(0, most)
      return first === undefined ? filter : others.reduce((left, right) => binary(operator, left, right), first)
    },
  }
}

/** Bugs of precedence, parentheses and logical operators. */
export const precedenceBugs: readonly BugModel[] = [
  {
    id: 'no-precedence',
    description: 'and and or are evaluated from left to right',
    rewriteFilter: filter => flat(filter, false),
  },
  {
    id: 'no-precedence-right',
    description: 'and and or are evaluated from right to left',
    rewriteFilter: filter => flat(filter, true),
  },
  { id: 'or-first', description: 'or has a higher precedence than and', rewriteFilter: orFirst },
  { id: 'no-parentheses', description: 'parentheses are ignored', rewriteFilter: withoutParentheses },
  { id: 'no-parentheses-after', description: 'parentheses after and are ignored', rewriteFilter: groupAfterOpened },
  { id: 'no-parentheses-before', description: 'parentheses before and are ignored', rewriteFilter: groupBeforeOpened },
  { id: 'not-wide', description: 'not applies to everything that follows', rewriteFilter: wideNot },
  {
    id: 'not-wide-of-call',
    description: 'not applies to everything that follows a function',
    rewriteFilter: wideNotOfCall,
  },
  {
    id: 'not-ignored',
    description: 'not is ignored',
    rewriteFilter: filter => onTree(filter, part => (isNot(part) ? part.operand : part)),
  },
  {
    id: 'not-ignored-before-lambda',
    description: 'not is ignored before a lambda',
    rewriteFilter: filter =>
      onTree(filter, part => (isNot(part) && part.operand.kind === 'lambda' ? part.operand : part)),
  },
  {
    id: 'not-ignored-before-function',
    description: 'not is ignored before a function',
    rewriteFilter: filter =>
      onTree(filter, part => (isNot(part) && part.operand.kind === 'call' ? part.operand : part)),
  },
  {
    id: 'not-first-only',
    description: 'not applies to the first operand only',
    rewriteFilter: filter =>
      onTree(filter, part =>
        isNot(part) && isJoin(part.operand) ? { ...part.operand, left: not(part.operand.left) } : part,
      ),
  },
  {
    id: 'not-keeps-join',
    description: 'not negates the operands but keeps and and or',
    rewriteFilter: filter =>
      onTree(filter, part =>
        isNot(part) && isJoin(part.operand)
          ? { ...part.operand, left: not(part.operand.left), right: not(part.operand.right) }
          : part,
      ),
  },
  {
    id: 'double-not-single',
    description: 'not not is evaluated as not',
    rewriteFilter: filter => onTree(filter, part => (isNot(part) && isNot(part.operand) ? part.operand : part)),
  },
  joins('or-as-and', 'or is evaluated as and', part => ({ ...part, operator: 'and' })),
  joins('and-as-or', 'and is evaluated as or', part => ({ ...part, operator: 'or' })),
  joins('or-left-only', 'the right side of or is ignored', part => (part.operator === 'or' ? part.left : part)),
  joins('or-right-only', 'the left side of or is ignored', part => (part.operator === 'or' ? part.right : part)),
  joins('and-left-only', 'the right side of and is ignored', part => (part.operator === 'and' ? part.left : part)),
  ...(['and', 'or'] as const).map(operator =>
    joins(`after-lambda-${operator}-lost`, `what follows a lambda and ${operator} is ignored`, part =>
      part.left.kind === 'lambda' && part.operator === operator ? part.left : part,
    ),
  ),
  ...(['and', 'or'] as const).map(operator =>
    joins(`lambda-after-${operator}-lost`, `a lambda after another condition and ${operator} is ignored`, part =>
      part.right.kind === 'lambda' && part.left.kind !== 'lambda' && part.operator === operator ? part.left : part,
    ),
  ),
  joins('and-right-only', 'the left side of and is ignored', part => (part.operator === 'and' ? part.right : part)),
  joins('parenthesis-left-dropped', 'an operand in parentheses is ignored', part =>
    isJoin(part.left) && part.operator !== part.left.operator ? part.right : part,
  ),
  shortChain('or', 2),
  shortChain('and', 2),
  shortChain('or', 3),
  { id: 'not-null-true', description: 'not of null is true', notOfNull: 'true' },
  { id: 'not-null-false', description: 'not of null is false', notOfNull: 'false' },
]
