import { setTimeout as pause } from 'node:timers/promises'
import { type Session, StoreError } from '../../../sql/index.js'
import type { Engine } from './engine.js'
import { isConflict } from './postgres-connections.js'

export interface LogPosition {
  /** Bytes since the beginning of the log. */
  readonly position: bigint
  /** Positions can be compared only if their marks are equal: they are those of one store, on one timeline. */
  readonly mark: string
}

/** Decides for each read whether a replica can answer it. */
export interface ReplicaMonitor {
  /** Whether the replica has every write that was acknowledged before the call. It waits for the replica, for a limited time. */
  readonly isCurrent: () => Promise<boolean>
  /**
   * The result of a read that the replica runs.
   *
   * @throws {StoreError} `unavailable` if the replica is lost meanwhile, as a read on a stopped machine would take very long
   */
  readonly during: <Value>(work: Promise<Value>) => Promise<Value>
  /** The replica failed. Reads go to the primary until it answers again. */
  readonly lost: () => void
  /** Asks the replica now, unless it is known to get no reads. */
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
  /** Gives up the connections for reads. */
  readonly disconnect: () => void
  /** The milliseconds in which the replica must answer a question, even if it is behind. */
  readonly silence?: number
}

/** Milliseconds after which a replica that does not answer counts as lost. The health check has two seconds. */
const longestSilence = 1_000

/** The longest pause between two questions to a replica for which reads wait, in milliseconds. */
const longestPause = 20

/** Milliseconds between two questions to a replica that gets no reads. */
const recoveryPause = 250

/**
 * Compares the position of the primary with that of the replica. A read may only use a position that it asked for itself, or one
 * that was asked for after it came: then it includes every write that was acknowledged before. Reads that come at the same time share
 * the questions, so that their number does not grow with the number of reads (as with the read index of Raft).
 */
export function createReplicaMonitor(options: ReplicaMonitorOptions): ReplicaMonitor {
  const { position, replayed, milliseconds, disconnect, silence = longestSilence } = options
  const askPrimary = shared(position)
  let known: LogPosition | undefined
  // An answer that comes too late for its read is still known.
  const askReplica = shared(async () => {
    known = await replayed()
  })
  const closed = new AbortController()
  let isExcluded = false
  /** Ends the waits for reads that the replica runs. */
  const abandon = new Set<(error: StoreError) => void>()

  const giveUpReads = (cause: unknown): void => {
    for (const each of abandon) each(new StoreError('unavailable', cause))
    disconnect()
  }
  /** Asks the replica. If it does not answer in time, the reads that it runs are given up. @throws if it does not */
  const ask = async (): Promise<void> => {
    try {
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('The replica does not answer.')), silence).unref()
        void askReplica()
          .then(resolve, reject)
          .finally(() => clearTimeout(late))
      })
    } catch (error) {
      giveUpReads(error)
      throw error
    }
  }
  /** Waits until the replica has reached a position. @throws if it does not answer */
  const reach = async (needed: LogPosition): Promise<boolean> => {
    const deadline = performance.now() + milliseconds
    for (let wait = 1; ; wait = Math.min(wait * 2, longestPause)) {
      if (hasReached(known, needed)) return true
      await ask()
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
  const check = async (): Promise<void> => {
    if (!isExcluded) await ask().catch(exclude)
  }
  return {
    isCurrent: async () => {
      if (isExcluded) return false
      const needed = await askPrimary()
      const isReached = await reach(needed).catch(() => false)
      if (!isReached) exclude()
      return isReached
    },
    during: work =>
      new Promise((resolve, reject) => {
        abandon.add(reject)
        // While only reads that the replica runs are in progress, nobody else asks it.
        const timer = setInterval(() => void check(), silence).unref()
        void work.then(resolve, reject).finally(() => {
          abandon.delete(reject)
          clearInterval(timer)
        })
      }),
    lost: exclude,
    check,
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
        return await monitor.during(work(replica))
      } catch (error) {
        // The replica may cancel a read that keeps it from repeating a write.
        const isLost = error instanceof StoreError && error.kind === 'unavailable'
        if (!isLost && !isConflict(error)) throw error
        if (isLost) monitor.lost()
        return engine.read(work)
      }
    },
    check: async () => {
      await Promise.all([engine.check(), monitor.check()])
    },
    isDegraded: monitor.isDegraded,
  }
}
