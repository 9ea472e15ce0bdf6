import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { Site } from '../discover/site.js'
import type { TestRequest, TestResponse } from '../http/message.js'
import { BudgetExhausted } from '../http/transport.js'
import { answered, service } from '../testing/things.js'
import { type CleanedUp, cleanUp, cleanUpJournal, deleteItem, markedPaths } from './clean-up.js'
import type { ReadJournal } from './journal.js'
import { createLedger, type Provenance } from './ledger.js'

const origin = 'http://service.invalid'
const mark = 'sw-0123456789abcd'
const cleanUpJournalMark = 'sw-12345671234567'
const options = {
  journal: { creating: () => {}, created: () => {}, changing: () => {}, gone: () => {} },
  mark,
  root: `${origin}/v1`,
}

type Send = (request: TestRequest) => Promise<TestResponse>

const site = ((): Site => {
  const endpoint = service.endpoints.find(({ kind }) => kind === 'create')
  if (endpoint === undefined) throw new Error('There is no create endpoint.')
  return { id: endpoint.name, endpoint, keys: {}, path: '/things' } as const
})()

const provenance = ((): Provenance => {
  const [type] = service.entityTypes
  if (type === undefined) throw new Error('There is no entity type.')
  return { type, mark }
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
    [
      'reports a rejection',
      [
        [403, {}],
        [200, {}],
      ],
      'DELETE returned 403',
      ['DELETE', 'GET'],
    ],
    [
      'believes a read that the item is gone, although the delete got an error',
      [
        [500, {}],
        [404, {}],
      ],
      undefined,
      ['DELETE', 'GET'],
    ],
    [
      'reports a rejection with the tag',
      [
        [428, {}],
        [200, { etag: '"7"' }],
        [412, {}],
        [200, {}],
      ],
      'DELETE returned 412',
      ['DELETE', 'GET', 'DELETE "7"', 'GET'],
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
    const ledger = {
      remaining: () => [],
      changed: () => [],
      uncertainCollections: () => ['/things'],
      mark,
      markRemoved: () => {},
    }
    expect(await cleanUp(ledger, search(send))).toEqual([`/things (items with ${mark} in their text)`])
  })

  it('are reported if the clean-up time is used up', async () => {
    const send: Send = async () => {
      throw new BudgetExhausted()
    }
    const ledger = {
      remaining: () => [{ number: 1, path: '/things/1', provenance }],
      changed: () => [],
      uncertainCollections: () => ['/things'],
      mark,
      markRemoved: () => {},
    }
    expect(await cleanUp(ledger, search(send))).toEqual(['/things/1', `/things (items with ${mark} in their text)`])
  })
})

describe('a ledger', () => {
  const created = (id: string, status = 201): Send => {
    return async request => {
      const location = `${origin}/v1/things/${id}`
      return request.method === 'GET' ? answered(request, 200, { id }) : answered(request, status, { id }, { location })
    }
  }

  it('contains created items', async () => {
    const ledger = createLedger({ service }, created('new'), { ...options, wasThere: () => false })
    expect(await ledger.create(site, {})).toMatchObject({ path: '/things/new' })
    expect(await ledger.isOwned('/things/new')).toBe(true)
    expect(ledger.remaining()).toMatchObject([{ number: 1, path: '/things/new' }])
  })

  it('never contains items that existed before', async () => {
    const ledger = createLedger({ service }, created('old', 200), {
      ...options,
      wasThere: path => path === '/things/old',
    })
    expect(await ledger.create(site, {})).not.toHaveProperty('path')
    expect(await ledger.isOwned('/things/old')).toBe(false)
    expect(ledger.remaining()).toEqual([])
    expect(ledger.uncertainCollections()).toEqual(['/things'])
  })
})

const journaled = (
  path: string | undefined,
  collection = '/things',
  text = cleanUpJournalMark,
): ReadJournal['left'] => [{ number: 1, collection, mark: text, ...(path === undefined ? {} : { path }) }]

describe('an entry of a journal that no run can have written', () => {
  it.each<[string, ReadJournal['left']]>([
    ['the collection itself', journaled('/things')],
    ['a path outside the root', journaled('/../admin/1')],
    ['a path that leads up', journaled('/things/..')],
    ['a path that leads up with escapes', journaled('/things/%2e%2e')],
    ['a path that leads up with escaped escapes', journaled('/things/%252e%252e')],
    ['an escaped slash', journaled('/things/a%2fb')],
    ['another host', journaled('//elsewhere.invalid/things/a')],
    ['an address', journaled('http://elsewhere.invalid/v1/things/a')],
    ['a query', journaled('/things/a?all=true')],
    ['a line break', journaled('/things/a%0d%0ab')],
    ['two segments', journaled('/things/a/parts')],
    ['an unknown collection', journaled('/others/a', '/others')],
    ['a collection that leads up', journaled('/things/../others/a', '/things/../others')],
    ['a mark that is part of many texts', journaled('/things/a', '/things', 'e')],
    ['a collection to search that is not one', journaled(undefined, '/others')],
  ])('is refused without a request: %s', async (_, left) => {
    const asked: string[] = []
    const result = await cleaned(({ method, url }, response) => {
      asked.push(`${method} ${url}`)
      response.end()
    }, left)
    expect(asked).toEqual([])
    expect(result).toMatchObject({ removed: [], left: [{ why: expect.stringContaining('declares no item there') }] })
  })
})

describe('an item of a journal', () => {
  it('stays if it does not carry the mark', async () => {
    const asked: string[] = []
    const result = await cleaned(({ method, url }, response) => {
      asked.push(`${method} ${url}`)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ id: 'a', name: 'of somebody else' }))
    }, journaled('/things/a'))
    expect(asked).toEqual(['GET /v1/things/a'])
    expect(result).toMatchObject({ removed: [], left: [{ path: '/things/a', why: 'another item is there now' }] })
  })
})

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function cleaned(
  listener: RequestListener,
  left: ReadJournal['left'] = [
    { number: 2, collection: '/things', mark: cleanUpJournalMark, path: '/things/a' },
    { number: 1, collection: '/things', mark: cleanUpJournalMark },
  ],
  changed: ReadJournal['changed'] = [],
): Promise<CleanedUp> {
  const port = await new Promise<number>(resolve => {
    server = createServer(listener).listen(0, '127.0.0.1', () => {
      const address = server?.address()
      resolve(typeof address === 'object' ? (address?.port ?? 0) : 0)
    })
  })
  const target = `http://127.0.0.1:${port}/v1`
  return cleanUpJournal({ service, target, journal: { url: target, spec: 'things.yaml', left, changed } })
}

it('deletes by address, and by the marker in a text', async () => {
  const { removed, left } = await cleaned(({ method, url }, response) => {
    response.writeHead(method === 'DELETE' ? 204 : 200, { 'content-type': 'application/json' })
    const rows = [{ id: 'b', name: `x ${cleanUpJournalMark}` }, { id: 'c' }]
    const item = { id: 'a', name: `y ${cleanUpJournalMark}` }
    response.end(method === 'DELETE' ? undefined : JSON.stringify(url === '/v1/things/a' ? item : { value: rows }))
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
    { path: '/things/a', why: expect.stringContaining('Retry-After') },
    { path: '/things', why: 'no time left' },
  ])
})
