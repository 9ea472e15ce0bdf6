/** What an item went through, in this order; a deleted one never comes back. */
export const itemStates = ['absent', 'made', 'changed', 'deleted'] as const

export type ItemState = (typeof itemStates)[number]

interface Entry {
  attempted: number
  acknowledged: number
}

/** What was asked of a service, and what it acknowledged. */
export interface WriteHistory {
  /** Notes that a write which leads to the state is about to be sent. */
  readonly attempt: (id: string, state: ItemState) => void
  /** Notes that the service acknowledged it. */
  readonly acknowledge: (id: string, state: ItemState) => void
  /** What is wrong with a state that was found: behind the acknowledged one, or one that nobody asked for. */
  readonly inconsistency: (id: string, found: ItemState) => string | undefined
  /** Takes what was found as acknowledged, since it was read. */
  readonly confirm: (id: string, found: ItemState) => void
  readonly ids: () => Iterable<string>
  /** How many writes were acknowledged. */
  readonly acknowledged: () => number
}

/** A ledger of nothing. One writer at a time writes an item, so that each write follows the one before. */
export function createWriteHistory(): WriteHistory {
  const entries = new Map<string, Entry>()
  let acknowledged = 0
  // Gone for good or not there yet look the same: after an attempt to delete, absent stands for deleted.
  const placeOf = ({ attempted }: Entry, found: ItemState): number =>
    found === 'absent' && attempted === itemStates.length - 1 ? attempted : itemStates.indexOf(found)
  const entryOf = (id: string): Entry => {
    const entry = entries.get(id) ?? { attempted: 0, acknowledged: 0 }
    entries.set(id, entry)
    return entry
  }
  return {
    attempt: (id, state) => {
      entryOf(id).attempted = itemStates.indexOf(state)
    },
    acknowledge: (id, state) => {
      acknowledged++
      entryOf(id).acknowledged = itemStates.indexOf(state)
    },
    inconsistency: (id, found) => {
      const entry = entryOf(id)
      const at = placeOf(entry, found)
      if (at >= entry.acknowledged && at <= entry.attempted) return undefined
      const [before, after] = [itemStates[entry.acknowledged], itemStates[entry.attempted]]
      return `${id} is ${found}; acknowledged was ${before}, and asked for at last ${after}`
    },
    confirm: (id, found) => {
      const entry = entryOf(id)
      const at = placeOf(entry, found)
      entry.acknowledged = at
      entry.attempted = at
    },
    ids: () => entries.keys(),
    acknowledged: () => acknowledged,
  }
}
