import type { Expression } from '../../../runtime/query/index.js'
import type { Row } from '../../json.js'
import type { Grammar, Term } from '../../query/grammar.js'
import type { Session } from '../../session/session.js'
import type { Site } from '../../site/site.js'
import type { Snapshot } from '../../site/snapshot.js'

/** One row that tells which way a choice was made: by being there, or not, when it is asked for by key and predicate. */
export interface Probe {
  readonly row: Row
  readonly predicate: Expression
  /** What the choice is when the row is there, and when it is not. */
  readonly present: string
  readonly absent: string
}

/** What probes are looked for in. */
export interface ProbeField {
  readonly site: Site
  readonly snapshot: Snapshot
  readonly grammar: Grammar
  readonly session: Session
  /** The single terms whose values the snapshot shows. */
  readonly terms: readonly Term[]
}

/** How one choice is told: the rows of a collection that tell it, the best first, on different properties where there are. */
export interface Probing {
  readonly choice: string
  readonly probes: (field: ProbeField) => Iterable<Probe>
  /** Another way in which it shows: probes of both are asked. */
  readonly also?: (field: ProbeField) => Iterable<Probe>
  /** Said when the probes disagree, where that is a fault in itself and no choice that differs from property to property. */
  readonly isOneOf?: string
  /** What such a fault has to do with. */
  readonly features?: readonly string[]
}
