import { Worker } from 'node:worker_threads'
import { RequestFault, type RequestHead, type ServerResponse } from '../../runtime/server/index.js'
import { tooSlowReason } from '../handlers/request-faults.js'
import type { ReaderAnswer, ReaderData, ReaderRequest } from './reader-thread.js'

/** What reads that are not cheap may take. */
export interface ReadLimits {
  /** The estimated cost, in microseconds, up to which a read runs at once, on the main connection. */
  readonly directCost: number
  /** The milliseconds that one read may take in a reader thread. */
  readonly readMilliseconds: number
  /** The reads that wait for a reader thread. */
  readonly waitingReads: number
  /** The milliseconds that a read waits for a replica. */
  readonly replicaMilliseconds: number
}

export const defaultReadLimits: ReadLimits = {
  directCost: 5_000,
  readMilliseconds: 10_000,
  waitingReads: 100,
  replicaMilliseconds: 100,
}

/** A read for a reader thread. */
interface ExpensiveRead {
  readonly request: ReaderRequest
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal
}

/** Threads that answer reads, each with connections of its own to the store. They start when they are first needed. */
export interface ReaderPool {
  /**
   * Answers a read when a thread is free. Principals take turns.
   *
   * @throws {RequestFault} `serviceUnavailable` if it takes too long, too much memory, or too many reads wait
   */
  readonly run: (read: ExpensiveRead) => Promise<ServerResponse>
  readonly close: () => Promise<void>
}

/** How to run the threads. */
interface ReaderPoolOptions {
  readonly threads: number
  /** The reads that one thread runs at a time: one, if its engine blocks it. */
  readonly concurrency: number
  readonly limits: ReadLimits
  readonly data: Omit<ReaderData, 'cancelled'>
  /** The module that the threads run. Default: the one beside this module. */
  readonly module?: URL
  /** Called with the unexpected errors of a read. */
  readonly onError: (error: Error, request: RequestHead | undefined) => void
}

/** A thread that does not end its read by itself is ended after so many milliseconds more. */
const grace = 1_000

/** The heap of a thread in MiB, for `responseBytes` of 4 MiB: an answer is in memory several times while it is made. */
const baseHeap = 64
const heapPerResponse = 16

interface Job {
  readonly principal: string
  readonly number: number
  readonly read: ExpensiveRead
  readonly settle: (outcome: ServerResponse | Error) => void
}

interface Thread {
  readonly worker: Worker
  /** The number of the read that has to end, for the thread to look at. */
  readonly cancelled: Int32Array
  readonly running: Map<number, { readonly job: Job; readonly timer: NodeJS.Timeout }>
  isReady: boolean
}

export function createReaderPool(options: ReaderPoolOptions): ReaderPool {
  const { limits, concurrency } = options
  const queue = createFairQueue<Job>(limits.waitingReads)
  const threads = new Set<Thread>()
  let lastNumber = 0
  let isClosed = false

  const start = (): void => {
    const cancelled = new Int32Array(new SharedArrayBuffer(4))
    const data: ReaderData = { ...options.data, cancelled }
    const responseMegabytes = options.data.responseBytes / 1024 / 1024
    const worker = new Worker(options.module ?? new URL('./reader-thread.js', import.meta.url), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(baseHeap + heapPerResponse * responseMegabytes) },
    })
    const thread: Thread = { worker, cancelled, running: new Map(), isReady: false }
    threads.add(thread)
    worker.on('message', (answer: ReaderAnswer) => receive(thread, answer))
    worker.on('error', error => lose(thread, error))
    worker.on('exit', () => lose(thread, undefined))
  }

  const receive = (thread: Thread, answer: ReaderAnswer): void => {
    if (answer.kind === 'ready') thread.isReady = true
    else {
      const running = thread.running.get(answer.number)
      if (running !== undefined) {
        finish(thread, running.job, answer.response)
        if (answer.problem !== undefined) options.onError(toError(answer.problem), headOf(running.job))
      }
    }
    assign()
  }

  const finish = (thread: Thread, job: Job, outcome: ServerResponse | Error): void => {
    clearTimeout(thread.running.get(job.number)?.timer)
    thread.running.delete(job.number)
    if (thread.running.size === 0) thread.worker.unref()
    job.settle(outcome)
  }

  /** A thread has ended. What it was running gets an error, and another thread takes its place when it is needed. */
  const lose = (thread: Thread, error: Error | undefined): void => {
    if (!threads.delete(thread)) return
    const isMemory = error !== undefined && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    if (error !== undefined && !isMemory) options.onError(error, undefined)
    const outcome = isMemory ? unavailable(memoryReason) : unavailable('The read was interrupted.', retryLater)
    for (const { job } of thread.running.values()) finish(thread, job, outcome)
    // A thread that cannot start would never take what waits.
    if (!thread.isReady) for (let job = queue.shift(); job !== undefined; job = queue.shift()) job.settle(outcome)
    assign()
  }

  const expire = (thread: Thread, job: Job): void => {
    // Its other reads, if it has any, are lost with it.
    finish(thread, job, tooSlow(limits.readMilliseconds))
    void thread.worker.terminate()
  }

  const assign = (): void => {
    if (isClosed) return
    for (const thread of threads) {
      while (thread.isReady && thread.running.size < concurrency) {
        const job = queue.shift()
        if (job === undefined) return
        const timer = setTimeout(() => expire(thread, job), limits.readMilliseconds + grace)
        timer.unref()
        thread.running.set(job.number, { job, timer })
        thread.worker.ref()
        thread.worker.postMessage({ number: job.number, request: job.read.request })
      }
    }
    const isStarting = [...threads].some(({ isReady }) => !isReady)
    if (queue.size() > 0 && !isStarting && threads.size < options.threads) start()
  }

  const cancel = (job: Job): void => {
    queue.remove(job)
    for (const { running, cancelled } of threads) {
      if (running.has(job.number)) Atomics.store(cancelled, 0, job.number)
    }
  }

  return {
    run: read =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(unavailable('The service is stopping.', retryLater))
          return
        }
        const { signal } = read
        const abandon = (): void => {
          cancel(job)
          // Nobody reads the answer.
          job.settle(unavailable('The caller disconnected.'))
        }
        const job: Job = {
          principal: read.request.principal.id,
          number: ++lastNumber,
          read,
          settle: outcome => {
            signal.removeEventListener('abort', abandon)
            if (outcome instanceof Error) reject(outcome)
            else resolve(outcome)
          },
        }
        signal.addEventListener('abort', abandon)
        queue.push(job)?.settle(tooMany(limits.waitingReads))
        assign()
      }),
    close: async () => {
      isClosed = true
      for (let job = queue.shift(); job !== undefined; job = queue.shift())
        job.settle(unavailable('The service is stopping.', retryLater))
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}

const retryLater = { 'retry-after': '1' } as const

function unavailable(reason: string, headers: Readonly<Record<string, string>> = {}): RequestFault {
  return new RequestFault('serviceUnavailable', { values: { reason }, headers })
}

const memoryReason = 'The read takes more memory than one read may have. Request fewer items.'

function tooMany(limit: number): RequestFault {
  return unavailable(`More reads wait than the limit waitingReads, which is ${limit}.`, retryLater)
}

function tooSlow(limit: number): RequestFault {
  return unavailable(tooSlowReason(limit))
}

function toError({ name, message, stack }: NonNullable<Extract<ReaderAnswer, { kind: 'answer' }>['problem']>): Error {
  const error = new Error(message)
  error.name = name
  if (stack !== undefined) error.stack = stack
  return error
}

function headOf({ read: { request, signal } }: Job): RequestHead {
  const { method, url, headers } = request
  return { method, url, headers: { get: name => headers[name.toLowerCase()] ?? null }, signal }
}

/** Work of one principal. */
interface Owned {
  readonly principal: string
}

/** A bounded queue in which principals take turns, however much each of them has waiting. */
interface FairQueue<Job extends Owned> {
  /**
   * Adds a job.
   *
   * @returns the job that has no room: the last one of the principal who has the most waiting, which can be this one
   */
  readonly push: (job: Job) => Job | undefined
  /** Takes the next job: the first one of the principal whose last turn is the longest ago. */
  readonly shift: () => Job | undefined
  /** Removes a job that is no longer needed. */
  readonly remove: (job: Job) => void
  readonly size: () => number
}

/** @param limit the number of jobs that wait */
export function createFairQueue<Job extends Owned>(limit: number): FairQueue<Job> {
  // In the order of their turns.
  const lines = new Map<string, Job[]>()
  let size = 0
  const dropEmpty = (principal: string, line: readonly Job[]): void => {
    if (line.length === 0) lines.delete(principal)
  }
  const evict = (): Job | undefined => {
    let longest: Job[] = []
    for (const line of lines.values()) if (line.length > longest.length) longest = line
    const job = longest.pop()
    if (job !== undefined) {
      size--
      dropEmpty(job.principal, longest)
    }
    return job
  }
  return {
    push: job => {
      const line = lines.get(job.principal) ?? []
      line.push(job)
      lines.set(job.principal, line)
      size++
      return size > limit ? evict() : undefined
    },
    shift: () => {
      const [next] = lines
      if (next === undefined) return undefined
      const [principal, line] = next
      const job = line.shift()
      size--
      lines.delete(principal)
      if (line.length > 0) lines.set(principal, line)
      return job
    },
    remove: job => {
      const line = lines.get(job.principal)
      const index = line?.indexOf(job) ?? -1
      if (line === undefined || index < 0) return
      line.splice(index, 1)
      size--
      dropEmpty(job.principal, line)
    },
    size: () => size,
  }
}
