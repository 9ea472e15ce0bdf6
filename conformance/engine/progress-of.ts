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
  const left = requests === 0 ? undefined : (elapsed / requests) * transport.left()
  return {
    phase,
    rulesExercised: new Set(units.filter(({ checks }) => checks > 0).map(({ rule }) => rule)).size,
    rules: new Set(units.map(({ rule }) => rule)).size,
    requests,
    requestLimit,
    violations,
    elapsed,
    ...(left === undefined ? {} : { left }),
  }
}
