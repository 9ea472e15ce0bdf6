import type { Area } from '../../rule/rule.js'
import type { Behaviour } from '../service/behaviour.js'

/** A service with one fault. */
export interface Mutant {
  readonly name: string
  /** The part of the interface that it breaks. */
  readonly area: Area
  /** What it does, in one sentence. */
  readonly statement: string
  /** The spec on which it shows. */
  readonly spec: 'directory' | 'library'
  /** Overrides decisions of the correct behaviour; called anew for each service. */
  readonly change: (correct: Behaviour) => Partial<Behaviour>
}

type Change = Mutant['change']

/** Defines the mutants of one area. */
export function mutantsOf(
  area: Area,
  spec: Mutant['spec'] = 'directory',
): (name: string, statement: string, change: Change) => Mutant {
  return (name, statement, change) => ({ name, area, statement, spec, change })
}
