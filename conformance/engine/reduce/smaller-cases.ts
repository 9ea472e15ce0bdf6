import type { QueryOptions } from '../../../runtime/query/index.js'
import type { Case } from '../../rule/case.js'
import { smallerExpressions } from './smaller-expressions.js'
import { smallerOptions } from './smaller-options.js'

/**
 * Cases with less in them.
 *
 * @param kept options that are not left out
 */
export function* smallerCases(test: Case, kept: readonly (keyof QueryOptions)[]): Iterable<Case> {
  const { options, predicates, steps } = test
  if (options !== undefined) for (const smaller of smallerOptions(options, kept)) yield { ...test, options: smaller }
  for (const [index, predicate] of (predicates ?? []).entries()) {
    for (const smaller of smallerExpressions(predicate)) {
      yield { ...test, predicates: (predicates ?? []).with(index, smaller) }
    }
  }
  if (steps !== undefined && steps.length > 1) {
    for (const index of steps.keys()) yield { ...test, steps: steps.toSpliced(steps.length - 1 - index, 1) }
  }
}
