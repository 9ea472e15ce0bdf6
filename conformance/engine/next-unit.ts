import type { Unit } from './unit.js'

/**
 * The unit whose turn it is: the one that, for its weight, has cost least so far. Of a rule's sites the first come first, so
 * that each rule is tried somewhere before any is tried everywhere.
 */
export function nextUnit(units: readonly Unit[]): Unit | undefined {
  let best: Unit | undefined
  let least = Number.POSITIVE_INFINITY
  for (const unit of units) {
    if (unit.done) continue
    const turn = ((unit.spent + unit.rule.cost) / unit.rule.weight) * (1 + unit.rank)
    if (turn < least) {
      best = unit
      least = turn
    }
  }
  return best
}
