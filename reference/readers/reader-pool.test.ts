import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { buildServiceTable } from '../../spec/language/index.js'
import { sampleService } from '../testing/sample-service.js'
import {
  createFairQueue,
  createReaderPool,
  defaultReadLimits,
  type ReaderPool,
  type ReadLimits,
} from './reader-pool.js'

/** A program of a thread that answers with the path, or does what the path says. */
const program = `
import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ number, request }) => {
  const path = new URL(request.url).pathname
  if (path === '/hang') for (;;) {}
  if (path === '/grow') { const kept = []; for (;;) kept.push(new Array(10_000).fill(kept)) }
  if (path === '/fail') throw new RangeError('a bug')
  parentPort.postMessage({ kind: 'answer', number, response: { status: 200, headers: {}, body: path } })
})
parentPort.postMessage({ kind: 'ready' })
`

const service = sampleService()
let pool: ReaderPool
const problems: Error[] = []

function open(limits: Partial<ReadLimits> = {}, text = program): void {
  problems.length = 0
  pool = createReaderPool({
    threads: 1,
    concurrency: 1,
    limits: { ...defaultReadLimits, ...limits },
    data: {
      service,
      table: buildServiceTable(service),
      identity: { id: '', secret: '', before: undefined },
      store: { address: 'none:' },
      root: '/v1',
      publicUrl: undefined,
      readMilliseconds: 0,
      statementTimeout: undefined,
      responseBytes: 1,
    },
    module: new URL(`data:text/javascript,${encodeURIComponent(text)}`),
    onError: error => problems.push(error),
  })
}

function read(path: string, principal = 'a', signal: AbortSignal = new AbortController().signal): Promise<unknown> {
  const request = {
    method: 'GET',
    url: `http://h${path}`,
    headers: {},
    principal: { id: principal, scopes: [] },
    now: 0,
  }
  return pool.run({ request, signal }).then(({ body }) => body)
}

const unavailable = (reason: string) => ({
  fault: 'serviceUnavailable',
  given: { values: { reason: expect.stringContaining(reason) } },
})

describe('a pool of readers', () => {
  afterEach(() => pool.close())

  it('answers reads one after another', async () => {
    open()
    expect(await Promise.all(['/1', '/2', '/3'].map(path => read(path)))).toEqual(['/1', '/2', '/3'])
  })

  it('ends a read that exceeds the time limit, names the limit, and answers the next one', async () => {
    open({ readMilliseconds: 1 })
    const [slow, next] = await Promise.allSettled([read('/hang'), read('/next')])
    expect(slow).toMatchObject({ reason: unavailable('the limit readMilliseconds, which is 1.') })
    expect(next).toMatchObject({ value: '/next' })
  })

  it('survives a read that takes too much memory, and answers the next one', async () => {
    // A busy machine may take long to fill the heap.
    open({ readMilliseconds: 1_000_000 })
    const [large, next] = await Promise.allSettled([read('/grow'), read('/next')])
    expect(large).toMatchObject({ reason: unavailable('more memory') })
    expect(next).toMatchObject({ value: '/next' })
    expect(problems).toEqual([])
  })

  it('survives a bug in a thread, reports it, and answers the next read', async () => {
    open()
    const [failed, next] = await Promise.allSettled([read('/fail'), read('/next')])
    expect(failed).toMatchObject({ reason: unavailable('interrupted') })
    expect(next).toMatchObject({ value: '/next' })
    expect(problems).toMatchObject([{ name: 'RangeError', message: 'a bug' }])
  })

  it('refuses what waits if a thread cannot start', async () => {
    open({}, 'throw new Error("no driver")')
    await expect(read('/1')).rejects.toMatchObject(unavailable('interrupted'))
    expect(problems).toMatchObject([{ message: 'no driver' }])
  })

  it('refuses the last read of who has the most waiting, names the limit, and says when to retry', async () => {
    open({ waitingReads: 2 })
    // All of them come before the thread is ready.
    const outcomes = await Promise.allSettled([read('/1'), read('/2'), read('/3'), read('/other', 'b')])
    const refused = {
      status: 'rejected',
      reason: {
        fault: 'serviceUnavailable',
        given: {
          values: { reason: 'More reads wait than the limit waitingReads, which is 2.' },
          headers: { 'retry-after': '1' },
        },
      },
    }
    expect(outcomes).toMatchObject([{ value: '/1' }, refused, refused, { value: '/other' }])
  })

  it('drops a read whose caller has disconnected while it waited', async () => {
    open()
    const caller = new AbortController()
    const dropped = read('/1', 'a', caller.signal)
    caller.abort()
    await expect(dropped).rejects.toMatchObject(unavailable('disconnected'))
    expect(await read('/2')).toBe('/2')
  })

  it('refuses reads once it is closed', async () => {
    open()
    await pool.close()
    await expect(read('/1')).rejects.toMatchObject(unavailable('stopping'))
  })
})

const jobs = (text: string) => [...text].map((principal, number) => ({ principal, number }))

describe('the queue of reads', () => {
  it.each([
    ['gives principals turns', 'aaab', 'abaa'],
    ['gives three principals turns', 'aaabbc', 'abcaba'],
    ['keeps the order of one principal', 'aaa', 'aaa'],
  ])('%s', (_, given, order) => {
    const queue = createFairQueue<{ principal: string; number: number }>(100)
    for (const job of jobs(given)) expect(queue.push(job)).toBeUndefined()
    expect(Array.from(given, () => queue.shift()?.principal).join('')).toBe(order)
    expect(queue.shift()).toBeUndefined()
  })

  it.each([
    ['who came last, if it has the most', 'aaa', 'a'],
    ['who has the most, if another one comes', 'aaab', 'a'],
  ])('refuses the last job of the principal %s', (_, given, refused) => {
    const queue = createFairQueue<{ principal: string; number: number }>(given.length - 1)
    const outcomes = jobs(given).map(job => queue.push(job)?.principal)
    expect(outcomes.at(-1)).toBe(refused)
    expect(queue.size()).toBe(given.length - 1)
  })

  it('neither loses nor repeats a job, and never holds more than its limit', () => {
    const steps = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('take', 'remove')))
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 5 }), (given, limit) => {
        const queue = createFairQueue<{ principal: string; number: number }>(limit)
        const inside = new Set<{ principal: string; number: number }>()
        for (const [number, step] of given.entries()) {
          if (step === 'take') {
            const job = queue.shift()
            if (job === undefined) expect(inside.size).toBe(0)
            else expect(inside.delete(job)).toBe(true)
          } else if (step === 'remove') {
            const [job] = inside
            if (job !== undefined) queue.remove(job)
            if (job !== undefined) inside.delete(job)
          } else {
            const job = { principal: step, number }
            inside.add(job)
            const refused = queue.push(job)
            if (refused !== undefined) expect(inside.delete(refused)).toBe(true)
          }
          expect(queue.size()).toBe(inside.size)
          expect(queue.size()).toBeLessThanOrEqual(limit)
        }
      }),
    )
  })
})
