import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { Site } from '../discover/site.js'
import type { TestRequest, TestResponse } from '../http/message.js'
import { BudgetExhausted } from '../http/transport.js'
import { answered, service } from '../testing/things.js'
import { type CleanedUp, cleanUp, cleanUpJournal, deleteItem, markedPaths } from './clean-up.js'
import { createLedger } from './ledger.js'

const origin = 'http://service.invalid'
const mark = 'sw-0123456789abcd'
const gone = { creating: () => {}, created: () => {}, gone: () => {} }

type Send = (request: TestRequest) => Promise<TestResponse>

const site = ((): Site => {
  const endpoint = service.endpoints.find(({ kind }) => kind === 'collection')
  if (endpoint === undefined) throw new Error('There is no collection.')
  return { id: endpoint.name, endpoint, keys: {}, path: '/things' } as const
})()

describe('deleting an item', () => {
  const asked: [string, readonly (readonly [number, Record<string, string>])[], string | undefined, string[]][] = [
    ['needs one DELETE', [[204, {}]], undefined, ['DELETE']],
    ['succeeds if the item is gone already', [[404, {}]], undefined, ['DELETE']],
    [
      'sends the current entity tag if required',
      [
        [428, {}],
        [200, { etag: '"7"' }],
        [204, {}],
      ],
      undefined,
      ['DELETE', 'GET', 'DELETE "7"'],
    ],
    [
      'sends * if a tag is required but absent',
      [
        [428, {}],
        [200, {}],
        [204, {}],
      ],
      undefined,
      ['DELETE', 'GET', 'DELETE *'],
    ],
    ['reports a rejection', [[403, {}]], 'DELETE returned 403', ['DELETE']],
    [
      'reports a rejection with the tag',
      [
        [428, {}],
        [200, { etag: '"7"' }],
        [412, {}],
      ],
      'DELETE returned 412',
      ['DELETE', 'GET', 'DELETE "7"'],
    ],
  ]
  it.each(asked)('%s', async (_, answers, expected, sent) => {
    const log: string[] = []
    const send: Send = async request => {
      const [status, headers] = answers[log.length] ?? [500, {}]
      log.push([request.method, request.headers?.['if-match'] ?? ''].filter(part => part !== '').join(' '))
      return answered(request, status, undefined, headers)
    }
    expect(await deleteItem('/things/1', send)).toBe(expected)
    expect(log).toEqual(sent)
  })
})

describe('the items that may remain', () => {
  const search = (send: Send) => ({ service, send, origin })
  const listing =
    (...rows: readonly object[]): Send =>
    async request =>
      answered(request, 200, { value: rows })

  it('have the marker in their text', async () => {
    const send = listing({ id: 'a', name: `x ${mark}` }, { id: 'b', name: 'sw-0123' })
    expect(await markedPaths('/things', mark, search(send))).toEqual(['/things/a'])
  })

  it.each<[string, Send]>([
    ['is truncated', async request => answered(request, 500, undefined)],
    ['is malformed', async request => answered(request, 200, { name: 'x' })],
    [
      'leads elsewhere',
      async request => answered(request, 200, { value: [], '@odata.nextLink': 'http://elsewhere.invalid/' }),
    ],
  ])('are unknown if the collection %s', async (_, send) => {
    expect(await markedPaths('/things', mark, search(send))).toBeUndefined()
    const ledger = { remaining: () => [], uncertainCollections: () => ['/things'], mark, markRemoved: () => {} }
    expect(await cleanUp(ledger, search(send))).toEqual([`/things (items with ${mark} in their text)`])
  })

  it('are reported if the clean-up time is used up', async () => {
    const send: Send = async () => {
      throw new BudgetExhausted()
    }
    const ledger = {
      remaining: () => [{ number: 1, path: '/things/1' }],
      uncertainCollections: () => ['/things'],
      mark,
      markRemoved: () => {},
    }
    expect(await cleanUp(ledger, search(send))).toEqual(['/things/1', `/things (items with ${mark} in their text)`])
  })
})

describe('a ledger', () => {
  const created = (id: string, status = 201): Send => {
    return async request => answered(request, status, { id }, { location: `${origin}/v1/things/${id}` })
  }

  it('contains created items', async () => {
    const ledger = createLedger({ service }, created('new'), gone, mark, `${origin}/v1`, () => false)
    expect(await ledger.create(site, {})).toMatchObject({ path: '/things/new' })
    expect(ledger.isOwned('/things/new')).toBe(true)
    expect(ledger.remaining()).toEqual([{ number: 1, path: '/things/new' }])
  })

  it('never contains items that existed before', async () => {
    const ledger = createLedger(
      { service },
      created('old', 200),
      gone,
      mark,
      `${origin}/v1`,
      path => path === '/things/old',
    )
    expect(await ledger.create(site, {})).not.toHaveProperty('path')
    expect(ledger.isOwned('/things/old')).toBe(false)
    expect(ledger.remaining()).toEqual([])
    expect(ledger.uncertainCollections()).toEqual(['/things'])
  })
})

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

const cleanUpJournalMark = 'sw-12345671234567'

async function cleaned(listener: RequestListener): Promise<CleanedUp> {
  const port = await new Promise<number>(resolve => {
    server = createServer(listener).listen(0, '127.0.0.1', () => {
      const address = server?.address()
      resolve(typeof address === 'object' ? (address?.port ?? 0) : 0)
    })
  })
  const target = `http://127.0.0.1:${port}/v1`
  const left = [
    { number: 2, collection: '/things', mark: cleanUpJournalMark, path: '/things/a' },
    { number: 1, collection: '/things', mark: cleanUpJournalMark },
  ]
  return cleanUpJournal({ service, target, journal: { url: target, spec: 'things.yaml', left } })
}

it('deletes by address, and by the marker in a text', async () => {
  const { removed, left } = await cleaned(({ method }, response) => {
    response.writeHead(method === 'DELETE' ? 204 : 200, { 'content-type': 'application/json' })
    const rows = [{ id: 'b', name: `x ${cleanUpJournalMark}` }, { id: 'c' }]
    response.end(method === 'DELETE' ? undefined : JSON.stringify({ value: rows }))
  })
  expect({ removed, left }).toEqual({ removed: ['/things/a', '/things/b'], left: [] })
})

it('reports the remaining items if the service asks for a delay beyond the time', async () => {
  const { removed, left } = await cleaned((_, response) => {
    response.writeHead(429, { 'retry-after': '3600' })
    response.end()
  })
  expect(removed).toEqual([])
  expect(left).toEqual([
    { path: '/things/a', why: 'DELETE returned 429' },
    { path: '/things', why: 'no time left' },
  ])
})
