import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printFilter, printOrderby } from '../../runtime/query/index.js'
import { createReferenceService, type ReferenceService } from '../reference-service.js'
import { type StoreMaker, sharedEngineNames, storeMaker } from '../testing/engines.js'
import { filterArbitrary, orderbyArbitrary } from '../testing/query-arbitraries.js'
import { sampleRecords, sampleRows } from '../testing/sample-rows.js'
import { sampleService } from '../testing/sample-service.js'

// The threads run the program that the compiler made of this folder.
const readerModule = new URL('../../build/reference/readers/reader-thread.js', import.meta.url)
const root = 'http://service.test/v1'
const spec = sampleService()
const limits = { lambdaDepth: 5, filterNodes: 1_000 }

/** Reads that differ in their kind, in what they return and in how. */
const reads: readonly (readonly [path: string, headers?: Readonly<Record<string, string>>])[] = [
  ['/samples'],
  ['/samples?$count=true&$top=3'],
  ['/samples?$expand=next,friends($count=true;$top=2)&$orderby=price desc'],
  ['/samples?$search=a OR b&$select=id,name'],
  ['/samples/$count?$filter=flag'],
  ['/samples/$count', { accept: 'application/json' }],
  ['/samples/delta'],
  ['/samples/s001/friends?$filter=count gt 0'],
  ['/samples/nobody/friends'],
  ['/samples/s001?$expand=friends'],
  ['/samples?$filter=now() gt moment'],
  ['/samples', { accept: 'application/json;odata.metadata=full' }],
  ['/samples', { accept: 'application/json;IEEE754Compatible=true', prefer: 'odata.maxpagesize=2' }],
  ['/samples?$filter=1 div 0 eq count'],
  ['/samples', { 'odata-maxversion': '4.01' }],
  ['/notes?$filter=contains(text,%27a%27)'],
]

/** Takes hours for an item with 150 numbers: each combination of five of them is compared. */
const endless = `/samples?$filter=${[1, 2, 3, 4, 5].reduceRight(
  (inner, level) => `numbers/any(x${level}:${inner})`,
  'x1 add x2 add x3 add x4 add x5 lt 0',
)}`

describe.each(sharedEngineNames)('expensive reads on %s', engine => {
  let folder: string
  let maker: StoreMaker
  let store: string
  let direct: ReferenceService
  let threaded: ReferenceService
  const problems: unknown[] = []

  const open = (workers: number, more: Readonly<Record<string, number>> = {}): Promise<ReferenceService> =>
    createReferenceService({
      spec,
      store,
      workers,
      readerModule,
      limits: { ...limits, ...more },
      authenticate: () => ({ id: 'caller', scopes: [] }),
      now: () => new Date(Date.UTC(2024, 5, 1, 12, 0, 0, 250)),
      onError: error => problems.push(error),
    })

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'specwright-readers-'))
    maker = await storeMaker(engine)
    store = engine === 'postgres' ? await maker.make() : `${engine}:${join(folder, 'store.db')}`
    direct = await open(0)
    await direct.load(sampleRecords(sampleRows(40)))
    threaded = await open(2, { directCost: 0 })
  })
  afterAll(async () => {
    await threaded.close()
    await direct.close()
    await maker.stop()
    rmSync(folder, { recursive: true })
    expect(problems).toEqual([])
  })

  const answer = async (service: ReferenceService, path: string, init: RequestInit = {}) => {
    const response = await service.fetch(new Request(root + path, init))
    const headers = [...response.headers].filter(([name]) => name !== 'request-id')
    const text = await response.text()
    return { status: response.status, headers, text: text.replaceAll(/"innerError":\{[^}]*\}/g, '') }
  }
  const answersAlike = async (path: string, init?: RequestInit): Promise<void> => {
    expect(await answer(threaded, path, init), path).toEqual(await answer(direct, path, init))
  }

  it.each(reads.map(([path, headers = {}]) => [path, headers] as const))(
    'have the bytes of the direct path: %s %j',
    (path, headers) => answersAlike(path, { headers }),
  )

  it('have the bytes of the direct path for any filter and order', async () => {
    await fc.assert(
      fc.asyncProperty(filterArbitrary(), orderbyArbitrary(), async (filter, orderby) => {
        const order = orderby.length === 0 ? '' : `&$orderby=${encodeURIComponent(printOrderby(orderby))}`
        await answersAlike(`/samples?$filter=${encodeURIComponent(printFilter(filter))}${order}&$count=true`)
      }),
      { numRuns: 40 },
    )
  })

  it.skipIf(process.platform !== 'linux')('run in threads with a lower priority than this one', async () => {
    await answer(threaded, '/samples')
    const niceOf = (thread: string): number => {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'latin1')
      // The name of the thread can contain spaces and parentheses.
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
    }
    const own = niceOf(String(process.pid))
    expect(readdirSync('/proc/self/task').map(niceOf)).toContain(Math.max(own, 10))
    expect(own).toBeLessThan(10)
  })

  it('have the bytes of the direct path on HEAD', () => answersAlike('/samples', { method: 'HEAD' }))

  it('follow links from one page to the next', async () => {
    const seen: unknown[] = []
    for (let path: string | undefined = '/samples?$top=7&$orderby=price'; path !== undefined; ) {
      const page: { readonly value: readonly { readonly id: unknown }[]; readonly '@odata.nextLink'?: string } =
        JSON.parse((await answer(threaded, path)).text)
      seen.push(...page.value.map(({ id }) => id))
      path = page['@odata.nextLink']?.slice(root.length)
    }
    expect(seen).toHaveLength(40)
    expect(new Set(seen).size).toBe(40)
  })

  it('see what the same caller has written before', async () => {
    const headers = { 'content-type': 'application/json' }
    for (const name of ['first', 'second', 'third']) {
      const body = JSON.stringify({ id: `new ${name}`, name })
      expect((await answer(threaded, '/samples', { method: 'POST', headers, body })).status).toBe(201)
      const { text } = await answer(threaded, `/samples?$filter=name eq '${name}'&$select=id`)
      expect(text).toContain(`new ${name}`)
      const removed = await answer(threaded, `/samples/${encodeURIComponent(`new ${name}`)}`, { method: 'DELETE' })
      expect(removed.status).toBe(204)
    }
  })

  it('stay in the transaction that they belong to', async () => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ id: 'inside', name: 'inside' })
    const found = await threaded.atomically(async () => {
      await answer(threaded, '/samples', { method: 'POST', headers, body })
      return answer(threaded, "/samples?$filter=name eq 'inside'&$select=id")
    })
    expect(found.text).toContain('inside')
    await answer(threaded, '/samples/inside', { method: 'DELETE' })
  })

  it('have the same answers in a batch', async () => {
    const batch = async (service: ReferenceService): Promise<string> => {
      const requests = ['/samples', '/samples/$count', '/samples?$filter=nothing eq 1'].map((url, index) => {
        return { id: String(index), method: 'GET', url }
      })
      const headers = { 'content-type': 'application/json' }
      const { text } = await answer(service, '/$batch', { method: 'POST', headers, body: JSON.stringify({ requests }) })
      return text.replaceAll(/"request-id":"[^"]*"/g, '')
    }
    const threadedText = await batch(threaded)
    expect(threadedText).toBe(await batch(direct))
    expect(threadedText).toContain('"value":[{')
  })

  describe('of an item with a long collection', () => {
    // Random filters stay fast because no item keeps the long collection.
    let numbers: unknown
    const update = async (value: unknown): Promise<void> => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ numbers: value })
      expect((await answer(direct, '/samples/s001', { method: 'PATCH', headers, body })).status).toBe(200)
    }
    beforeAll(async () => {
      numbers = JSON.parse((await answer(direct, '/samples/s001')).text).numbers
      await update(Array.from({ length: 150 }, (_, index) => index + 10))
    })
    afterAll(() => update(numbers))

    it('end at their time limit with 503, which names the limit', async () => {
      const service = await open(1, { directCost: 0, readMilliseconds: 500 })
      const { status, text } = await answer(service, endless)
      expect(status).toBe(503)
      expect(text).toContain('the limit readMilliseconds, which is 500.')
      expect((await answer(service, '/samples/s001')).status).toBe(200)
      await service.close()
      expect(problems.splice(0)).toMatchObject([{ name: 'StoreError' }])
    })

    it('let a cheap request finish, and end when their caller disconnects', async () => {
      const service = await open(1, { directCost: 0, readMilliseconds: 1_000_000 })
      const caller = new AbortController()
      let isRunning = true
      const abandoned = answer(service, endless, { signal: caller.signal }).finally(() => {
        isRunning = false
      })
      expect((await answer(service, '/samples/s001')).status).toBe(200)
      expect(isRunning).toBe(true)
      caller.abort()
      expect((await abandoned).status).toBe(503)
      expect((await answer(service, '/samples')).status).toBe(200)
      await service.close()
      problems.length = 0
    })
  })
})
