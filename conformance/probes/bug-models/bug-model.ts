import type { Expression } from '../../../runtime/query/index.js'
import type { Row } from '../../json.js'
import type { ComparisonSemantics } from '../../oracle/comparison-semantics.js'
import type { TruthSet } from '../../oracle/truth-set.js'

/** One way to misread or to misevaluate filters that services were seen to have. */
export interface BugModel {
  /** Stable; a feature of what is found: `gt-as-ge`. */
  readonly id: string
  /** For people, after `it looks as if`: `gt were ge`. */
  readonly description: string
  /** Operators, functions and types of literals, one of which a condition has that it misreads; absent: it may misread any. */
  readonly affects?: readonly string[]
  /** What it takes a condition without `and`, `or` and `not` for; absent: for what it is. */
  readonly rewriteCondition?: (filter: Expression) => Expression | undefined
  /**
   * What it makes of a condition on a row, by nothing but the properties that the condition reads, where no expression says
   * that; absent: what it is, on this row or on all.
   */
  readonly evaluateRow?: (filter: Expression) => ((row: Row) => TruthSet | undefined) | undefined
  /** What it takes the whole for: another tree of the same conditions. */
  readonly rewriteFilter?: (filter: Expression) => Expression
  /** The laws by which it compares, and the conditions that they have to do with. */
  readonly semantics?: (laws: ComparisonSemantics) => ComparisonSemantics
  readonly isAffected?: (part: Expression) => boolean
  /** What `not` makes of null. */
  readonly notOfNull?: 'true' | 'false'
}

const operatorsCache = new WeakMap<Expression, ReadonlySet<string>>()

/** The operators, functions and types of literals in an expression, by which wrong interpreters are told to look at it. */
export function operatorsIn(expression: Expression): ReadonlySet<string> {
  const before = operatorsCache.get(expression)
  if (before !== undefined) return before
  const signs = new Set<string>()
  collectOperators(expression, signs)
  operatorsCache.set(expression, signs)
  return signs
}

/** Whether an interpreter may misread a condition with these signs. */
export function mayAffect({ affects: signs }: Pick<BugModel, 'affects'>, found: ReadonlySet<string>): boolean {
  return signs === undefined || signs.some(sign => found.has(sign))
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
