import { describe, expect, it } from 'vitest'
import {
  createDirectory,
  type MeMessagesHandlers,
  type MessageRow,
  type UserRow,
  type UsersHandlers,
} from '../../generated/directory/server.js'
import { serviceTable } from '../../generated/directory/service-table.js'
import { listRows } from '../../runtime/server/list-rows.js'

const people: readonly UserRow[] = [
  {
    id: 'a',
    displayName: 'Ada',
    mail: 'ada@x.example',
    assignedLicenses: [{ skuId: '184efa21-98c3-4e5d-95ab-d07053a96e67' }],
  },
  { id: 'b', displayName: 'Bob', jobTitle: 'Auditor', manager: { id: 'a', displayName: 'Ada' } },
  { id: 'c', displayName: 'Cy', jobTitle: 'Clerk' },
]
const types = serviceTable.types

interface Mailbox {
  readonly messages: Map<string, MessageRow>
}

const users = {
  list: call => listRows(people, call, { types, type: 'user' }),
  get: ({ keys }) => people.find(person => person.id === keys.id),
  count: call => listRows(people, call, { types, type: 'user' }).count ?? 0,
  delta: () => ({ value: [...people, { id: 'z', '@removed': { reason: 'deleted' } }], deltaToken: '1' }),
} satisfies UsersHandlers<Mailbox>

const messages = {
  list: call => listRows([...call.context.messages.values()], call, { types, type: 'message' }),
  create({ body, context }) {
    const message = { ...body, id: 'm 1', '@odata.etag': 'W/"1"', receivedDateTime: '2024-01-01T00:00:00Z' }
    context.messages.set(message.id, message)
    return message
  },
  get: ({ keys, context }) => context.messages.get(keys.id),
  update({ keys, body, precondition, context, fail }) {
    const known = context.messages.get(keys.id) ?? fail('itemNotFound')
    if (!precondition.holds(known['@odata.etag'])) return fail('preconditionFailed')
    const changed = { ...known, ...body, '@odata.etag': 'W/"2"' }
    context.messages.set(keys.id, changed)
    return changed
  },
  delete({ keys, context, fail }) {
    if (!context.messages.delete(keys.id)) fail('itemNotFound')
  },
} satisfies MeMessagesHandlers<Mailbox>

function directory(): (
  method: string,
  path: string,
  headers?: object,
  body?: unknown,
) => Promise<readonly [number, unknown, Headers]> {
  const mailbox: Mailbox = { messages: new Map() }
  const service = createDirectory(
    {
      users,
      me: {
        messages,
        getMemberGroups: ({ parameters }) => (parameters.securityEnabledOnly ? ['s'] : ['s', 't']),
        reminderView: ({ parameters }) => [{ eventId: '1', eventSubject: parameters.startDateTime }],
      },
      groups: {
        members: {
          list: () => ({ value: [{ '@odata.type': '#directory.user', id: 'a', displayName: 'Ada', surname: 'L' }] }),
        },
      },
    },
    {
      authenticate: () => ({ id: 'a', scopes: serviceTable.routes.flatMap(route => route.scopes) }),
      context: () => mailbox,
    },
  )
  return async (method, path, headers = {}, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const request = new Request(`https://directory.example/v1.0${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...sent,
    })
    const response = await service(request)
    const text = await response.text()
    return [response.status, text === '' ? undefined : JSON.parse(text), response.headers]
  }
}

const eventual = { consistencylevel: 'eventual' }

describe('the Directory skeleton over arrays', () => {
  it('selects, filters, orders, pages and counts', async () => {
    const ask = directory()
    const [status, body] = await ask(
      'GET',
      '/users?$select=displayName&$filter=jobTitle ne null&$orderby=displayName desc&$top=1&$count=true',
    )
    expect([status, body]).toEqual([
      200,
      {
        '@odata.context': 'https://directory.example/v1.0/$metadata#users(displayName)',
        '@odata.count': 2,
        '@odata.nextLink':
          'https://directory.example/v1.0/users?$select=displayName&$filter=jobTitle%20ne%20null&$orderby=displayName%20desc&$top=1&$count=true&$skiptoken=1-2',
        value: [{ '@odata.id': "https://directory.example/v1.0/users('c')", displayName: 'Cy' }],
      },
    ])
  })

  it('expands the requested navigation properties', async () => {
    const [, body] = await directory()('GET', '/users/b?$select=id&$expand=manager($select=displayName)')
    expect(body).toMatchObject({ id: 'b', manager: { displayName: 'Ada' } })
    expect(JSON.stringify(body)).not.toContain('"a"')
  })

  it('requires the header of advanced queries on every collection', async () => {
    const ask = directory()
    const advanced = [
      "/users?$filter=contains(displayName,'d')",
      '/users?$search="displayName:ada"',
      "/users?$filter=assignedLicenses/any(x:x/skuId eq '184efa21-98c3-4e5d-95ab-d07053a96e67')",
      '/users/$count',
      "/me/messages?$filter=contains(subject,'x')",
    ]
    for (const path of advanced) {
      expect(await ask('GET', path)).toMatchObject([400, { error: { code: 'Request_UnsupportedQuery' } }, {}])
      expect((await ask('GET', path, eventual))[0]).toBe(200)
    }
    expect(await ask('GET', '/users/$count?$filter=jobTitle eq null', eventual)).toMatchObject([200, 1, {}])
  })

  it('creates, reads, updates with a precondition, and deletes', async () => {
    const ask = directory()
    const [created, , headers] = await ask('POST', '/me/messages', {}, { subject: 'Hi', importance: 'HIGH' })
    expect([created, headers.get('location')]).toEqual([201, 'https://directory.example/v1.0/me/messages/m%201'])
    expect(await ask('GET', '/me/messages/m%201')).toMatchObject([
      200,
      { subject: 'Hi', importance: 'high', isRead: true },
      {},
    ])
    expect((await ask('PATCH', '/me/messages/m%201', { 'if-match': 'W/"0"' }, { isRead: false }))[0]).toBe(412)
    expect(await ask('PATCH', '/me/messages/m%201', { 'if-match': 'W/"1"' }, { isRead: false })).toMatchObject([
      200,
      { isRead: false, subject: 'Hi' },
      {},
    ])
    expect((await ask('GET', '/me/messages/m%201', { 'if-none-match': 'W/"2"' }))[0]).toBe(304)
    expect((await ask('DELETE', '/me/messages/m%201'))[0]).toBe(204)
    expect(await ask('GET', '/me/messages/m%201')).toMatchObject([404, { error: { code: 'ErrorItemNotFound' } }, {}])
  })

  it('returns delta, members of several types, and results of operations', async () => {
    const ask = directory()
    expect((await ask('GET', '/users/delta?$select=displayName'))[1]).toMatchObject({
      '@odata.deltaLink': 'https://directory.example/v1.0/users/delta?$select=displayName&$deltatoken=1',
      value: [{ id: 'a', displayName: 'Ada' }, {}, {}, { id: 'z', '@removed': { reason: 'deleted' } }],
    })
    expect((await ask('GET', '/groups/g/members'))[1]).toMatchObject({
      value: [{ '@odata.type': '#directory.user', surname: 'L', jobTitle: null }],
    })
    expect((await ask('POST', '/me/getMemberGroups', {}, { securityEnabledOnly: true }))[1]).toMatchObject({
      value: ['s'],
    })
    const moment = '2024-01-01T00:00:00Z'
    expect((await ask('GET', `/me/reminderView(startDateTime='${moment}',endDateTime='${moment}')`))[1]).toMatchObject({
      value: [{ eventId: '1', eventSubject: moment }],
    })
    expect((await ask('GET', '/me/drive/items'))[0]).toBe(501)
  })
})
