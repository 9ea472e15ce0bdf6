import type { Transport } from '../http/transport.js'
import type { Phase, Progress } from '../progress.js'
import type { Unit } from './unit.js'

/** How far a run has come. @param elapsed seconds */
export function progressOf(
  phase: Phase,
  units: readonly Unit[],
  transport: Transport,
  requestLimit: number,
  violations: number,
  elapsed: number,
): Progress {
  const requests = transport.sent()
  const rules = new Set<Unit['rule']>()
  const exercised = new Set<Unit['rule']>()
  for (const { rule, checks } of units) {
    rules.add(rule)
    if (checks > 0) exercised.add(rule)
  }
  const left = requests === 0 ? undefined : (elapsed / requests) * transport.left()
  return {
    phase,
    rulesExercised: exercised.size,
    rules: rules.size,
    requests,
    requestLimit,
    violations,
    elapsed,
    ...(left === undefined ? {} : { left }),
  }
}
