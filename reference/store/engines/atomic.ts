import { AsyncLocalStorage } from 'node:async_hooks'
import type { Session } from '../../../sql/index.js'
import type { Engine } from './engine.js'

/**
 * Runs work in one transaction: all reads and writes of the store that it starts, and waits for, join it. The transaction is
 * rolled back if the work throws. It may run more than once.
 */
export type Atomically = <Value>(work: () => Promise<Value>) => Promise<Value>

interface AtomicEngine {
  readonly engine: Engine
  readonly atomically: Atomically
  /** Whether the code that calls it is part of such work. */
  readonly isAtomic: () => boolean
}

/** An engine whose reads and writes join the transaction of the work that they belong to. */
export function withAtomicWork(engine: Engine): AtomicEngine {
  const joined = new AsyncLocalStorage<Session>()
  const join =
    (start: Engine['read']): Engine['read'] =>
    work => {
      const session = joined.getStore()
      return session === undefined ? start(work) : work(session)
    }
  return {
    engine: { ...engine, read: join(engine.read), write: join(engine.write) },
    atomically: work => engine.write(session => joined.run(session, work)),
    isAtomic: () => joined.getStore() !== undefined,
  }
}
