import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createReferenceService } from '../../reference-service.js'
import { sampleRecords, sampleRows } from '../../testing/sample-rows.js'
import { sampleService } from '../../testing/sample-service.js'
import { sqliteDrivers } from '../../testing/sqlite-drivers.js'
import { openEngine } from './open-engine.js'
import { createWriteQueue, maxWaitingBytes } from './write-turns.js'

const principals = ['a', 'b', 'c'] as const

describe('writes that wait', () => {
  it('keep the order of their principal, and no principal waits for two of another one', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...principals), { maxLength: 30 }), given => {
        const queue = createWriteQueue<readonly [string, number]>(100)
        for (const [number, principal] of given.entries()) queue.add([principal, number], { principal, bytes: 1 })
        const taken: (readonly [string, number])[] = []
        for (let next = queue.next(); next !== undefined; next = queue.next()) taken.push(next.job)
        expect(queue.isEmpty()).toBe(true)
        for (const principal of principals) {
          const own = given.flatMap((each, number) => (each === principal ? [number] : []))
          expect(taken.filter(([each]) => each === principal).map(([, number]) => number)).toEqual(own)
          // Until its last job, no other principal has two between two of its own.
          const places = taken.flatMap(([each], place) => (each === principal ? [place] : []))
          for (const [index, place] of places.entries()) {
            const between = taken.slice(index === 0 ? 0 : (places[index - 1] ?? 0) + 1, place).map(([each]) => each)
            expect(new Set(between).size).toBe(between.length)
          }
        }
      }),
    )
  })

  it.each([
    ['jobs', 3, 1, 3],
    ['bytes', 100, maxWaitingBytes / 2, 2],
  ])('of one principal have a limit of %s, which does not concern others', (_, most, bytes, expected) => {
    const queue = createWriteQueue<number>(most)
    const added = Array.from({ length: 5 }, (_each, number) => queue.add(number, { principal: 'a', bytes }))
    expect(added.filter(each => each)).toHaveLength(expected)
    expect(queue.add(9, { principal: 'b', bytes: 2 * maxWaitingBytes })).toBe(true)
    queue.next()
    expect(queue.add(7, { principal: 'a', bytes })).toBe(true)
  })
})

describe('principals', () => {
  it('share the time of the writer: if the writes of one take ten times as long, it gets a tenth of the turns', () => {
    const queue = createWriteQueue<number>(1_000)
    for (const [principal, milliseconds] of [
      ['long', 50],
      ['short', 5],
    ] as const)
      for (let count = 0; count < 500; count++) queue.add(milliseconds, { principal, bytes: 1 })
    const taken = Array.from({ length: 220 }, () => {
      const next = queue.next()
      next?.charge(next.job)
      return next?.job
    })
    expect(taken.filter(job => job === 50).length).toBe(20)
  })

  it('save no turns while they have nothing to write, and the work of one who left is not forgotten', () => {
    const queue = createWriteQueue<string>(10)
    const add = (principal: string): unknown => queue.add(principal, { principal, bytes: 1 })
    const take = (milliseconds: number): string | undefined => {
      const next = queue.next()
      next?.charge(milliseconds)
      return next?.job
    }
    add('long')
    expect(take(100)).toBe('long')
    for (const principal of ['long', 'late', 'late', 'long']) add(principal)
    expect([take(1), take(1), take(1), take(1)]).toEqual(['late', 'late', 'long', 'long'])
  })

  it('wait with a body that is longer than asked for', () => {
    const queue = createWriteQueue<string>(10)
    queue.add('long', { principal: 'a', bytes: 100 })
    expect(queue.next(99)).toBeUndefined()
    expect(queue.next(100)?.job).toBe('long')
  })
})

it('a write of another principal waits for no more than one of those before it', async () => {
  const engine = await openEngine('sqlite::memory:')
  const order: string[] = []
  const write = (principal: string): Promise<unknown> =>
    engine.write(async () => void order.push(principal), { principal, bytes: 1_000 })
  const writes = Array.from({ length: 100 }, () => write('busy'))
  await Promise.all([...writes, write('other'), write('third')])
  expect(order.slice(0, 4).toSorted()).toEqual(['busy', 'busy', 'other', 'third'])
  await engine.close()
})

const spec = sampleService()
const root = 'http://service.test/v1'
/** Takes more than a second. */
const long = `/samples?$filter=${[1, 2, 3, 4, 5].reduceRight(
  (inner, level) => `numbers/any(x${level}:${inner})`,
  [1, 2, 3, 4, 5].map(level => `x${level} eq ${level}`).join(' and '),
)}`

describe.each(sqliteDrivers.map(({ name }) => name))('a service in memory, with %s,', driver => {
  const open = async (limits: Readonly<Record<string, number>>) => {
    const service = await createReferenceService({
      spec,
      store: `${driver}::memory:`,
      limits: { lambdaDepth: 5, filterNodes: 1_000, ...limits },
      authenticate: ({ headers }) => ({ id: headers.get('authorization') ?? '', scopes: [] }),
      onError: () => undefined,
    })
    const rows = sampleRows(40).map(row => ({ ...row, numbers: Array.from({ length: 60 }, (_, index) => index + 10) }))
    await service.load(sampleRecords(rows))
    const send = (principal: string, path: string, method = 'GET') =>
      service.fetch(new Request(root + path, { method, headers: { authorization: principal } }))
    return { service, send }
  }

  it('ends a long read at its time limit, and goes on', async () => {
    const { service, send } = await open({ readMilliseconds: 20 })
    const response = await send('caller', long)
    expect(response.status).toBe(503)
    expect(await response.text()).toContain('the limit readMilliseconds, which is 20.')
    expect((await send('caller', '/samples/$count')).status).toBe(200)
    await service.close()
  })

  it('refuses writes of a principal with 429 if too many wait, and those of nobody else', async () => {
    const { service, send } = await open({ principalWaiting: 3 })
    const busy = Array.from({ length: 20 }, () => send('busy', '/samples/s000', 'DELETE'))
    const other = send('other', '/samples/s001', 'DELETE')
    const statuses = (await Promise.all(busy)).map(({ status }) => status)
    expect(statuses).toContain(429)
    expect(statuses.filter(status => status === 204)).toHaveLength(1)
    expect((await other).status).toBe(204)
    await service.close()
  })
})
