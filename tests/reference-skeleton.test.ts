import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { serviceTable } from '../generated/directory/service-table.js'
import { readData } from '../reference/data/read-data.js'
import { genericHandlers } from '../reference/handlers/generic-handlers.js'
import { openServiceStore } from '../reference/store/open-service-store.js'
import { tokenSealer } from '../reference/store/read/token.js'
import type { Store } from '../reference/store/store.js'
import { loadRecords } from '../reference/store/write/load-records.js'
import { createService, type Service } from '../runtime/server/index.js'

/** The generated skeleton's table and the one built from the spec at start, over the same handlers and the same items. */
describe('the generated Directory skeleton over the reference handlers', () => {
  let store: Store
  let skeleton: Service
  let reference: Service

  beforeAll(async () => {
    // Tokens say when they were given.
    vi.useFakeTimers({ toFake: ['Date'] })
    store = await openServiceStore({ spec: 'spec/directory.yaml', store: 'sqlite::memory:' })
    await loadRecords(store, readData('spec/directory.data.yaml', store.service))
    const handlerOf = genericHandlers({ store, sealer: tokenSealer(store.identity) })
    const scopes = store.service.authentication.scopes.map(({ name }) => name)
    const authenticate = () => ({ id: 'mira', scopes })
    skeleton = createService(serviceTable, handlerOf, { authenticate })
    reference = createService(store.table, handlerOf, { authenticate })
  })
  afterAll(() => {
    vi.useRealTimers()
    return store.engine.close()
  })

  const answerOf = async (service: Service, method: string, path: string, body: unknown) => {
    const headers = { ConsistencyLevel: 'eventual', 'content-type': 'application/json' }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await service(new Request(`http://service.test/v1.0${path}`, init))
    const text = await response.text()
    const varying = new Set(['request-id', 'date'])
    return {
      status: response.status,
      headers: [...response.headers].filter(([name]) => !varying.has(name)),
      body: text.replaceAll(/"innerError":\{[^}]*\}/g, ''),
    }
  }

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
  ])('answers %s %s as the reference service does', async (method, path, body) => {
    const expected = await answerOf(reference, method, path, body)
    expect(await answerOf(skeleton, method, path, body)).toEqual(expected)
    expect(expected.status).toBeLessThan(500)
  })
})
