import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { serviceTable } from '../../generated/directory/service-table.js'
import { readData } from '../../reference/data/read-data.js'
import { tokenSigner } from '../../reference/handlers/continuation-token.js'
import { genericHandlers } from '../../reference/handlers/generic-handlers.js'
import { openStore } from '../../reference/store/open-store.js'
import type { Store } from '../../reference/store/store.js'
import { loadRecords } from '../../reference/store/write/load-records.js'
import { createService, type HandlerLookup, type Service, type ServiceTable } from '../../runtime/server/index.js'

/** A service over a store. */
interface Mounted {
  readonly service: Service
  readonly close: () => Promise<void>
}

/** Mounts a service table on the reference handlers, and records each successful operation in `done`. */
async function mount(table: (store: Store) => ServiceTable, done: Set<string>): Promise<Mounted> {
  const store = await openStore({ spec: 'spec/directory.yaml', store: 'sqlite::memory:' })
  await loadRecords(store, readData('spec/directory.data.yaml', store.service))
  const handlers = genericHandlers({ store, signer: tokenSigner(store.identity) })
  const noting: HandlerLookup = route => {
    const handler = handlers(route)
    if (handler === undefined) return undefined
    return async call => {
      const result = await handler(call)
      done.add(route.name)
      return result
    }
  }
  const scopes = store.service.authentication.scopes.map(({ name }) => name)
  const service = createService(table(store), noting, { authenticate: () => ({ id: 'mira', scopes }) })
  return { service, close: () => store.engine.close() }
}

/** Removes what differs each time: identifiers of requests and new items, and tokens, which each store signs with its own key. */
function settled(text: string): string {
  return text
    .replaceAll(/"innerError":\{[^}]*\}/g, '')
    .replaceAll(/token=[^"&]*/g, 'token=…')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, '…')
}

async function answerOf(service: Service, method: string, path: string, body?: unknown) {
  const headers = { ConsistencyLevel: 'eventual', 'content-type': 'application/json' }
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const url = path.startsWith('http') ? path : `http://service.test/v1.0${path}`
  const response = await service(new Request(url, init))
  const text = await response.text()
  const varying = new Set(['request-id', 'date'])
  const shown = [...response.headers].filter(([name]) => !varying.has(name)).map(header => settled(header.join(': ')))
  return {
    status: response.status,
    headers: shown,
    body: settled(text),
    text,
    location: response.headers.get('location'),
  }
}

describe('the generated Directory skeleton over the reference handlers', () => {
  let skeleton: Mounted
  let reference: Mounted
  const done = { skeleton: new Set<string>(), reference: new Set<string>() }

  beforeAll(async () => {
    // Stamps and tokens contain the time.
    vi.useFakeTimers({ toFake: ['Date'] })
    skeleton = await mount(() => serviceTable, done.skeleton)
    reference = await mount(store => store.table, done.reference)
  })
  afterAll(async () => {
    vi.useRealTimers()
    await skeleton.close()
    await reference.close()
  })

  /** Sends a request to both, each by its own links. @returns their bodies, and the location of a created item */
  const bothAnswer = async (method: string, paths: readonly [string, string], body?: unknown, status?: number) => {
    const { text, location, ...expected } = await answerOf(reference.service, method, paths[0], body)
    const { text: other, location: there, ...found } = await answerOf(skeleton.service, method, paths[1], body)
    expect(found).toEqual(expected)
    if (status === undefined) expect(expected.status).toBeLessThan(500)
    else expect(expected.status, text).toBe(status)
    return { texts: [text, other] as const, locations: [location ?? '', there ?? ''] as const }
  }

  const linked = (
    { texts }: { readonly texts: readonly [string, string] },
    name: string,
  ): readonly [string, string] => {
    const linkIn = (text: string): string => new RegExp(`"@odata\\.${name}":"([^"]*)"`).exec(text)?.[1] ?? ''
    return [linkIn(texts[0]), linkIn(texts[1])]
  }

  it('answers every operation like the reference service, including links and written items', async () => {
    const both = (path: string): readonly [string, string] => [path, path]
    const reads = [
      '/me',
      '/me/calendar',
      '/me/manager',
      '/users',
      '/users/mira',
      '/users/$count',
      '/groups',
      '/me/messages',
      '/me/drive/items',
      '/drive/items/folder-root/children',
      "/me/reminderView(startDateTime='2000-01-01T00:00:00Z',endDateTime='2100-01-01T00:00:00Z')",
    ]
    for (const path of reads) await bothAnswer('GET', both(path), undefined, 200)
    await bothAnswer('PATCH', both('/me'), { jobTitle: 'Skipper' }, 200)
    const group = { displayName: 'G', mailEnabled: false, mailNickname: 'g', securityEnabled: true }
    const made = await bothAnswer('POST', both('/groups'), group, 201)
    await bothAnswer('GET', made.locations, undefined, 200)
    const [one, other] = made.locations
    await bothAnswer('GET', [`${one}/members`, `${other}/members`], undefined, 200)
    await bothAnswer('DELETE', made.locations, undefined, 204)
    await bothAnswer('GET', made.locations, undefined, 404)
    const written = await bothAnswer('POST', both('/me/messages'), { subject: 'S' }, 201)
    await bothAnswer('GET', written.locations, undefined, 200)
    await bothAnswer('PATCH', written.locations, { isRead: true, importance: 'high' }, 200)
    await bothAnswer('DELETE', written.locations, undefined, 204)
    await bothAnswer('POST', both('/me/getMemberGroups'), { securityEnabledOnly: false }, 200)
    await bothAnswer('POST', both('/me/checkMemberObjects'), { ids: ['x'] }, 200)
    const page = await bothAnswer('GET', both('/users?$top=3&$select=id'), undefined, 200)
    await bothAnswer('GET', linked(page, 'nextLink'), undefined, 200)
    const changes = await bothAnswer('GET', both('/users/delta?$select=jobTitle'), undefined, 200)
    await bothAnswer('PATCH', both('/me'), { jobTitle: null }, 200)
    await bothAnswer('GET', linked(changes, 'deltaLink'), undefined, 200)
    const names = serviceTable.routes.map(route => route.name).toSorted()
    expect([...done.skeleton].toSorted()).toEqual(names)
    expect([...done.reference].toSorted()).toEqual(names)
  })

  it.each<[method: string, path: string, body?: unknown]>([
    ['GET', '/me'],
    ['GET', '/me/calendar'],
    ['GET', '/me/manager?$select=displayName'],
    ['GET', '/me/messages?$top=5&$count=true&$orderby=receivedDateTime desc&$expand=attachments'],
    ['GET', '/me/messages/msg-01'],
    ['GET', '/me/messages/none'],
    ['PATCH', '/me/messages/msg-01', {}],
    ['PATCH', '/me/messages/msg-01', { importance: 'none' }],
    ['DELETE', '/me/messages/none'],
    ['POST', '/me/messages', { nothing: 1 }],
    ['POST', '/groups', {}],
    ['GET', '/me/drive/items?$expand=thumbnails'],
    ['GET', '/drive/items/folder-root/children'],
    ['GET', "/users?$filter=startsWith(displayName,'A') or jobTitle eq null&$select=id,jobTitle"],
    ['GET', '/users?$search="displayName:m"'],
    ['GET', '/users?$filter=nothing eq 1'],
    ['GET', '/users?$top=0'],
    ['GET', '/users/$count'],
    ['GET', '/users/delta?$select=id'],
    ['GET', '/groups?$expand=members($select=displayName)'],
    ['GET', '/groups/none/members'],
    ['POST', '/me/getMemberGroups', { securityEnabledOnly: false }],
    ['POST', '/me/checkMemberObjects', { ids: ['x'] }],
    ['GET', "/me/reminderView(startDateTime='2000-01-01T00:00:00Z',endDateTime='2100-01-01T00:00:00Z')"],
    ['GET', '/nothing'],
    ['PUT', '/users'],
  ])('answers %s %s like the reference service', async (method, path, body) => {
    await bothAnswer(method, [path, path], body)
  })
})
