/** The states of an item, in order. A deleted item is never created again. */
const itemStates = ['absent', 'created', 'changed', 'deleted'] as const

export type ItemState = (typeof itemStates)[number]

interface Entry {
  attempted: number
  acknowledged: number
}

/** The writes that were sent to a service, and those that it acknowledged. */
export interface WriteHistory {
  /** Records that a write to this state is about to be sent. */
  readonly attempt: (id: string, state: ItemState) => void
  /** Records that the service acknowledged it. */
  readonly acknowledge: (id: string, state: ItemState) => void
  /** Describes the fault if a state is older than the acknowledged one, or was never requested. */
  readonly inconsistency: (id: string, found: ItemState) => string | undefined
  /** Records a state that was read as acknowledged. */
  readonly confirm: (id: string, found: ItemState) => void
  readonly ids: () => Iterable<string>
  /** The number of acknowledged writes. */
  readonly acknowledged: () => number
}

/** Creates an empty history. Each item has one writer, so its writes are sequential. */
export function createWriteHistory(): WriteHistory {
  const entries = new Map<string, Entry>()
  let acknowledged = 0
  // Deleted and not yet created look the same: after an attempt to delete, absent means deleted.
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
