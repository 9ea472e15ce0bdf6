import type { Transport } from '../http/transport.js'
import type { Phase } from '../options.js'
import type { LiveSession } from './live-session.js'
import type { PassiveRuleMonitor } from './passive-rules.js'
import type { PassedConstructs, ViolationRecord } from './violations.js'

/** The parts of a run that running rules, learning choices and confirming share. */
export interface RunContext {
  readonly live: LiveSession
  readonly transport: Transport
  readonly monitor: PassiveRuleMonitor
  readonly violations: ViolationRecord
  readonly passed: PassedConstructs
  readonly seed: number
  /** Maximum number of cases per rule and site. */
  readonly runs: number
  readonly onPhase: (phase: Phase) => void
}
