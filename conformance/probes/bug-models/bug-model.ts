import type { Expression } from '../../../runtime/query/index.js'
import type { Row } from '../../json.js'
import type { ComparisonSemantics } from '../../oracle/comparison-semantics.js'
import type { TruthSet } from '../../oracle/truth-set.js'

/** A plausible bug in how a service reads or evaluates filters. Real services have had each of these. */
export interface BugModel {
  /** Stable. It becomes a feature of findings: `gt-as-ge`. */
  readonly id: string
  /** Completes the phrase `it looks as if`: `gt were ge`. */
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

const operatorsCache = new WeakMap<Expression, ReadonlySet<string>>()

/** The operators, functions and literal types in an expression. */
export function operatorsIn(expression: Expression): ReadonlySet<string> {
  const before = operatorsCache.get(expression)
  if (before !== undefined) return before
  const signs = new Set<string>()
  collectOperators(expression, signs)
  operatorsCache.set(expression, signs)
  return signs
}

/** Whether a bug can affect a condition with these operators. */
export function mayAffect({ affects }: Pick<BugModel, 'affects'>, found: ReadonlySet<string>): boolean {
  return affects === undefined || affects.some(sign => found.has(sign))
}

function collectOperators(expression: Expression, signs: Set<string>): void {
  switch (expression.kind) {
    case 'literal':
      signs.add(expression.type)
      break
    case 'unary':
      signs.add(expression.operator)
      collectOperators(expression.operand, signs)
      break
    case 'binary':
      signs.add(expression.operator)
      collectOperators(expression.left, signs)
      collectOperators(expression.right, signs)
      break
    case 'call':
      signs.add(expression.function)
      for (const argument of expression.arguments) collectOperators(argument, signs)
      break
    case 'lambda':
      signs.add(expression.operator)
      if (expression.predicate !== undefined) collectOperators(expression.predicate, signs)
      break
    case 'list':
      for (const item of expression.items) collectOperators(item, signs)
      break
    default:
  }
}
