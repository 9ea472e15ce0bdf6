/** What an item went through, in this order; a deleted one never comes back. */
export const states = ['absent', 'made', 'changed', 'deleted'] as const

export type State = (typeof states)[number]

interface Entry {
  attempted: number
  acknowledged: number
}

/** What was asked of a service, and what it acknowledged. */
export interface Ledger {
  /** Notes that a write which leads to the state is about to be sent. */
  readonly attempt: (id: string, state: State) => void
  /** Notes that the service acknowledged it. */
  readonly acknowledge: (id: string, state: State) => void
  /** What is wrong with a state that was found: behind the acknowledged one, or one that nobody asked for. */
  readonly objection: (id: string, found: State) => string | undefined
  /** Takes what was found as acknowledged, since it was read. */
  readonly settle: (id: string, found: State) => void
  readonly ids: () => Iterable<string>
  /** How many writes were acknowledged. */
  readonly acknowledged: () => number
}

/** A ledger of nothing. One writer at a time writes an item, so that each write follows the one before. */
export function createLedger(): Ledger {
  const entries = new Map<string, Entry>()
  let acknowledged = 0
  // Gone for good or not there yet look the same: after an attempt to delete, absent stands for deleted.
  const placeOf = ({ attempted }: Entry, found: State): number =>
    found === 'absent' && attempted === states.length - 1 ? attempted : states.indexOf(found)
  const entryOf = (id: string): Entry => {
    const entry = entries.get(id) ?? { attempted: 0, acknowledged: 0 }
    entries.set(id, entry)
    return entry
  }
  return {
    attempt: (id, state) => {
      entryOf(id).attempted = states.indexOf(state)
    },
    acknowledge: (id, state) => {
      acknowledged++
      entryOf(id).acknowledged = states.indexOf(state)
    },
    objection: (id, found) => {
      const entry = entryOf(id)
      const at = placeOf(entry, found)
      if (at >= entry.acknowledged && at <= entry.attempted) return undefined
      const [before, after] = [states[entry.acknowledged], states[entry.attempted]]
      return `${id} is ${found}; acknowledged was ${before}, and asked for at last ${after}`
    },
    settle: (id, found) => {
      const entry = entryOf(id)
      const at = placeOf(entry, found)
      entry.acknowledged = at
      entry.attempted = at
    },
    ids: () => entries.keys(),
    acknowledged: () => acknowledged,
  }
}
