import type { Unit } from './unit.js'

/** How much sooner a rule is tried for the first time than its weight alone would have it. */
const first = 0.5
/** How much later each further site of a rule has its turn. */
const later = 1.5

/**
 * The unit whose turn it is: the one that, for its weight, has cost least so far. Of a rule's sites the first come first, so
 * that each rule is tried somewhere before any is tried everywhere.
 */
export function nextUnit(units: readonly Unit[]): Unit | undefined {
  let best: Unit | undefined
  let least = Number.POSITIVE_INFINITY
  for (const unit of units) {
    if (unit.done) continue
    const share = unit.rank === 0 && unit.checks === 0 ? first : 1 + later * unit.rank
    const turn = ((unit.spent + unit.rule.cost) / unit.rule.weight) * share
    if (turn < least) {
      best = unit
      least = turn
    }
  }
  return best
}
