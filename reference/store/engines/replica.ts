import { setTimeout as pause } from 'node:timers/promises'
import { type Session, StoreError } from '../../../sql/index.js'
import type { Engine } from './engine.js'
import { isBroken, isConflict } from './postgres-connections.js'

export interface LogPosition {
  /** Bytes since the beginning of the log. */
  readonly position: bigint
  /** Positions can be compared only if their marks are equal: they are those of one store, on one timeline. */
  readonly mark: string
}

/** Decides for each read whether a replica can answer it. */
interface ReplicaMonitor {
  /** Whether the replica has every write that was acknowledged before the call. It waits for the replica, for a limited time. */
  readonly isCurrent: () => Promise<boolean>
  /** The replica failed. Reads go to the primary until it answers again. */
  readonly lost: () => void
  /** Asks the replica now. */
  readonly check: () => Promise<void>
  /** Whether the replica gets no reads. */
  readonly isDegraded: () => boolean
  readonly close: () => void
}

interface ReplicaMonitorOptions {
  /** Asks the primary where its log ends. */
  readonly position: () => Promise<LogPosition>
  /** Asks the replica up to where it has repeated the log. */
  readonly replayed: () => Promise<LogPosition>
  /** The milliseconds that a read waits for the replica. */
  readonly milliseconds: number
}

/** The longest pause between two questions to a replica for which reads wait, in milliseconds. */
const longestPause = 20

/** Milliseconds between two questions to a replica that gets no reads. */
const recoveryPause = 250

/**
 * Compares the position of the primary with that of the replica. A read may only use a position that it asked for itself, or one
 * that was asked for after it came: then it includes every write that was acknowledged before. Reads that come at the same time share
 * the questions, so that their number does not grow with the number of reads (as with the read index of Raft).
 */
export function createReplicaMonitor({ position, replayed, milliseconds }: ReplicaMonitorOptions): ReplicaMonitor {
  const askPrimary = shared(position)
  const askReplica = shared(replayed)
  const closed = new AbortController()
  let known: LogPosition | undefined
  let isExcluded = false

  /** Waits until the replica has reached a position. */
  const reach = async (needed: LogPosition): Promise<boolean> => {
    const deadline = performance.now() + milliseconds
    for (let wait = 1; ; wait = Math.min(wait * 2, longestPause)) {
      if (hasReached(known, needed)) return true
      known = await askReplica()
      if (hasReached(known, needed)) return true
      if (performance.now() >= deadline) return false
      await pause(wait)
    }
  }
  const exclude = (): void => {
    if (isExcluded) return
    isExcluded = true
    void recover()
  }
  const recover = async (): Promise<void> => {
    while (isExcluded && !closed.signal.aborted) {
      await pause(recoveryPause, undefined, { ref: false, signal: closed.signal }).catch(() => undefined)
      isExcluded = !(await askPrimary()
        .then(reach, () => false)
        .catch(() => false))
    }
  }
  return {
    isCurrent: async () => {
      if (isExcluded) return false
      const needed = await askPrimary()
      const isReached = await reach(needed).catch(() => false)
      if (!isReached) exclude()
      return isReached
    },
    lost: exclude,
    check: async () => {
      known = await askReplica().catch(() => undefined)
      if (known === undefined) exclude()
    },
    isDegraded: () => isExcluded,
    close: () => closed.abort(),
  }
}

function hasReached(found: LogPosition | undefined, needed: LogPosition): boolean {
  return found !== undefined && found.mark === needed.mark && found.position >= needed.position
}

/** One question at a time. A caller gets the answer to a question that begins after the call, together with others. */
function shared<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<Value> | undefined
  return () => {
    next ??= running.then(() => {
      const asking = ask()
      next = undefined
      running = asking.catch(() => undefined)
      return asking
    })
    return next
  }
}

/** An engine whose reads go to a replica when it has all that they must see, and otherwise to the primary. */
export function withReplica(engine: Engine, replica: Session, monitor: ReplicaMonitor): Engine {
  return {
    ...engine,
    read: async (work, from) => {
      if (from === 'primary' || !(await monitor.isCurrent())) return engine.read(work)
      try {
        return await work(replica)
      } catch (error) {
        // The replica may cancel a read that keeps it from repeating a write.
        if (!(error instanceof StoreError) || !(isBroken(error) || isConflict(error))) throw error
        if (isBroken(error)) monitor.lost()
        return engine.read(work)
      }
    },
    check: async () => {
      await Promise.all([engine.check(), monitor.check()])
    },
    isDegraded: monitor.isDegraded,
  }
}
