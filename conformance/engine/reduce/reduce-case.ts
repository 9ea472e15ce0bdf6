import type { Case } from '../../rule/case.js'
import type { Rule } from '../../rule/rule.js'
import { sizeOf } from './size-of.js'
import { smallerCases } from './smaller-cases.js'

/** Requests that making one case smaller may take. */
const requestLimit = 60

/**
 * The smallest case found that still fails, one step after the other.
 *
 * @param fails whether a case shows the same fault
 * @param more smaller cases that only the rule knows
 * @param about options without which the case says nothing of the rule: they stay
 */
export async function reduceCase(
  test: Case,
  fails: (smaller: Case) => Promise<boolean>,
  more: (test: Case) => Iterable<Case>,
  sent: () => number,
  about: NonNullable<Rule['about']> = [],
): Promise<Case> {
  const tried = new Set([JSON.stringify(test)])
  const end = sent() + requestLimit
  let current = test
  for (let found = true; found; ) {
    found = false
    for (const smaller of candidates(current, more, about)) {
      const text = JSON.stringify(smaller)
      if (tried.has(text)) continue
      if (sent() >= end) return current
      tried.add(text)
      if (!(await fails(smaller))) continue
      current = smaller
      found = true
      break
    }
  }
  return current
}

function* candidates(
  test: Case,
  more: (test: Case) => Iterable<Case>,
  about: NonNullable<Rule['about']>,
): Iterable<Case> {
  const all = [...more(test), ...smallerCases(test, about)].map(smaller => ({ smaller, size: sizeOf(smaller) }))
  for (const { smaller } of all.sort((a, b) => a.size - b.size)) yield smaller
}
