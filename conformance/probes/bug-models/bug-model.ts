import type { Expression } from '../../../runtime/query/index.js'
import type { Row } from '../../json.js'
import type { ComparisonSemantics } from '../../oracle/comparison-semantics.js'
import type { TruthSet } from '../../oracle/truth-set.js'
import { rewriteChanged } from '../expressions.js'

/** A plausible bug in how a service reads or evaluates filters. Real services have had each of these. */
export interface BugModel {
  /** Stable. It becomes a feature of findings: `gt-as-ge`. */
  readonly id: string
  /** Completes the phrase `it looks as if`: `gt is evaluated as ge`. */
  readonly description: string
  /**
   * Operators, functions and literal types that a condition must contain to be affected; absent if any condition may
   * be.
   */
  readonly affects?: readonly string[]
  /** The condition that the service evaluates instead; absent if it evaluates the right one. */
  readonly rewriteCondition?: (filter: Expression) => Expression | undefined
  /**
   * The result on a row, for bugs that no expression can describe. It may depend only on the properties that the
   * condition reads. Absent if the result is right, on this row or on all.
   */
  readonly evaluateRow?: (filter: Expression) => ((row: Row) => TruthSet | undefined) | undefined
  /** The filter that the service evaluates instead, composed of the same conditions. */
  readonly rewriteFilter?: (filter: Expression) => Expression
  /** The wrong comparison semantics, and the expressions that they affect. */
  readonly semantics?: (semantics: ComparisonSemantics) => ComparisonSemantics
  readonly isAffected?: (part: Expression) => boolean
  /** What `not` makes of null. */
  readonly notOfNull?: 'true' | 'false'
}

/** A bug that rewrites parts of conditions with one of the affected operators, functions or literal types. */
export function rewriteBug(
  id: string,
  description: string,
  affects: readonly string[],
  rewrite: (part: Expression) => Expression | undefined,
): BugModel {
  return { id, description, affects, rewriteCondition: filter => rewriteChanged(filter, rewrite) }
}

type Call = Extract<Expression, { readonly kind: 'call' }>

/** A bug that rewrites the calls of a function. */
export function callBug(
  name: string,
  id: string,
  description: string,
  rewrite: (call: Call) => Expression | undefined,
): BugModel {
  return rewriteBug(id, description, [name], part =>
    part.kind === 'call' && part.function === name ? rewrite(part) : undefined,
  )
}

/** A bug that evaluates a function as another one. */
export function callAs(name: string, other: string): BugModel {
  const description = `${name} is evaluated as ${other}`
  return callBug(name, `${name}-as-${other}`, description, part => ({ ...part, function: other }))
}

/** A bug that evaluates the first argument instead of a call. */
export function callIgnored(name: string): BugModel {
  return callBug(name, `${name}-ignored`, `${name} is ignored`, ({ arguments: [first] }) => first)
}

const operatorsCache = new WeakMap<Expression, ReadonlySet<string>>()

/** The operators, functions and literal types in an expression. */
export function operatorsIn(expression: Expression): ReadonlySet<string> {
  const before = operatorsCache.get(expression)
  if (before !== undefined) return before
  const operators = new Set<string>()
  collectOperators(expression, operators)
  operatorsCache.set(expression, operators)
  return operators
}

/** Whether a bug can affect a condition with these operators. */
export function mayAffect({ affects }: Pick<BugModel, 'affects'>, found: ReadonlySet<string>): boolean {
  return affects === undefined || affects.some(operator => found.has(operator))
}

function collectOperators(expression: Expression, operators: Set<string>): void {
  switch (expression.kind) {
    case 'literal':
      operators.add(expression.type)
      break
    case 'unary':
      operators.add(expression.operator)
      collectOperators(expression.operand, operators)
      break
    case 'binary':
      operators.add(expression.operator)
      collectOperators(expression.left, operators)
      collectOperators(expression.right, operators)
      break
    case 'call':
      operators.add(expression.function)
      for (const argument of expression.arguments) collectOperators(argument, operators)
      break
    case 'lambda':
      operators.add(expression.operator)
      if (expression.predicate !== undefined) collectOperators(expression.predicate, operators)
      break
    case 'list':
      for (const item of expression.items) collectOperators(item, operators)
      break
    default:
  }
}
