/** A fair lock: many readers or one writer, in order of arrival. */
export interface ReadWriteLock {
  readonly shared: <Value>(work: () => Promise<Value>) => Promise<Value>
  readonly exclusive: <Value>(work: () => Promise<Value>) => Promise<Value>
  /** Whether a writer is inside. */
  readonly isClosed: () => boolean
}

interface Waiting {
  readonly alone: boolean
  readonly go: () => void
}

/**
 * Creates a lock for an engine with one connection. Each statement runs at once, but the statements of two transactions must
 * not interleave.
 */
export function createReadWriteLock(): ReadWriteLock {
  const waiting: Waiting[] = []
  let inside = 0
  let closed = false

  const enter = (alone: boolean): void => {
    inside++
    closed = alone
  }
  const isFree = (alone: boolean): boolean => !closed && (!alone || inside === 0)
  const leave = (): void => {
    inside--
    if (inside === 0) closed = false
    for (let next = waiting[0]; next !== undefined && isFree(next.alone); next = waiting[0]) {
      waiting.shift()
      enter(next.alone)
      next.go()
    }
  }
  const pass = async <Value>(alone: boolean, work: () => Promise<Value>): Promise<Value> => {
    if (waiting.length === 0 && isFree(alone)) enter(alone)
    else await new Promise<void>(go => waiting.push({ alone, go }))
    try {
      return await work()
    } finally {
      leave()
    }
  }
  return { shared: work => pass(false, work), exclusive: work => pass(true, work), isClosed: () => closed }
}
