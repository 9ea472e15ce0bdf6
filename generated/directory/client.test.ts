import { describe, expect, it } from 'vitest'
import { recordingFetch, type SentRequest } from '../../runtime/client/testing/recording-fetch.js'
import { createDirectory, type Directory } from './client.js'

const base = 'https://service.example/v1.0'
const eventual = { consistencylevel: 'eventual' }

type Use = (client: Directory) => unknown

/** The first request that a use of the client sends. */
const requestOf = async (use: Use): Promise<SentRequest | undefined> => {
  const { fetch, sent } = recordingFetch()
  await use(createDirectory({ baseUrl: base, fetch }))
  return sent[0]
}

const cases: readonly (readonly [string, Use, Partial<SentRequest>?])[] = [
  ['GET /me', c => c.me.get()],
  ['GET /me?$select=id', c => c.me.get({ select: ['id'] })],
  [
    'PATCH /me',
    c => c.me.update({ jobTitle: null }, { ifMatch: 'W/"1"' }),
    {
      body: '{"jobTitle":null}',
      headers: { 'content-type': 'application/json', 'if-match': 'W/"1"' },
    },
  ],
  ['GET /me/calendar', c => c.me.calendar.get()],
  ['GET /me/manager?$expand=manager($select=id)', c => c.me.manager.get({ expand: { manager: { select: ['id'] } } })],
  ['GET /me/messages', c => c.me.messages.list().page()],
  [
    'GET /me/messages?$filter=receivedDateTime ge 2024-01-31T12:00:00Z&$top=5',
    c => c.me.messages.list({ filter: f => f.ge('receivedDateTime', '2024-01-31T12:00:00Z'), top: 5 }).page(),
  ],
  [
    "GET /me/messages?$filter=contains(subject,'a')",
    c => c.me.messages.list({ filter: f => f.contains('subject', 'a') }).page(),
    { headers: eventual },
  ],
  [
    "GET /me/messages?$filter=subject eq 'contains(x)'",
    c => c.me.messages.list({ filter: f => f.eq('subject', 'contains(x)') }).page(),
    { headers: {} },
  ],
  [
    "GET /me/messages?$filter=toRecipients/any(x:x/emailAddress/address eq 'a@b')",
    c => c.me.messages.list({ filter: f => f.any('toRecipients', x => x.eq('emailAddress/address', 'a@b')) }).page(),
    { headers: eventual },
  ],
  [
    'GET /me/messages?$search="subject:a"',
    c => c.me.messages.list({ search: { subject: 'a' } }).page(),
    {
      headers: eventual,
    },
  ],
  ['GET /me/messages?$count=true', c => c.me.messages.list({ count: true }).page(), { headers: eventual }],
  ['GET /me/messages?$count=false', c => c.me.messages.list({ count: false }).page(), { headers: {} }],
  [
    'GET /me/messages',
    c => c.me.messages.list({ prefer: { 'body-content-type': 'text' } }).page(),
    {
      headers: { prefer: 'body-content-type="text"' },
    },
  ],
  [
    'POST /me/messages',
    c => c.me.messages.create({ subject: 'a' }),
    {
      body: '{"subject":"a"}',
      headers: { 'content-type': 'application/json' },
    },
  ],
  [
    'GET /me/messages/a%2Fb%3D',
    c => c.me.messages.get('a/b=', { ifNoneMatch: '"1"' }),
    {
      headers: { 'if-none-match': '"1"' },
    },
  ],
  [
    'PATCH /me/messages/1',
    c => c.me.messages.update('1', { isRead: true, subject: undefined }),
    {
      body: '{"isRead":true}',
    },
  ],
  [
    'DELETE /me/messages/1',
    c => c.me.messages.delete('1', { ifMatch: '*' }),
    {
      body: null,
      headers: { 'if-match': '*' },
    },
  ],
  [
    'GET /me/drive/items?$expand=children($select=name),thumbnails',
    c => c.me.drive.items.list({ expand: { children: { select: ['name'] }, thumbnails: true } }).page(),
  ],
  [
    'GET /drive/items/1/children?$expand=thumbnails',
    c => c.drive.items.children.list('1', { expand: { thumbnails: true } }).page(),
  ],
  [
    'GET /users?$filter=assignedLicenses/any(x:x/skuId eq 184efa21-98c3-4e5d-95ab-d07053a96e67)',
    c =>
      c.users
        .list({ filter: f => f.any('assignedLicenses', x => x.eq('skuId', '184efa21-98c3-4e5d-95ab-d07053a96e67')) })
        .page(),
    { headers: eventual },
  ],
  ['GET /users/1', c => c.users.get('1')],
  ['GET /users/$count', c => c.users.count(), { headers: eventual }],
  [
    'GET /users/$count?$filter=surname eq null',
    c => c.users.count({ filter: f => f.eq('surname', null) }),
    {
      headers: eventual,
    },
  ],
  ['GET /users/delta?$select=displayName', c => c.users.delta({ select: ['displayName'] }).page()],
  ['GET /groups', c => c.groups.list().page()],
  [
    'POST /groups',
    c => c.groups.create({ displayName: 'a', mailEnabled: false, mailNickname: 'a', securityEnabled: true }),
  ],
  ['GET /groups/1', c => c.groups.get('1')],
  ['DELETE /groups/1', c => c.groups.delete('1')],
  [
    'GET /groups/1/members?$orderby=displayName desc&$skip=5',
    c => c.groups.members.list('1', { orderby: ['displayName desc'], skip: 5 }).page(),
  ],
  [
    'POST /me/getMemberGroups',
    c => c.me.getMemberGroups({ securityEnabledOnly: true }),
    {
      body: '{"securityEnabledOnly":true}',
    },
  ],
  ['POST /me/checkMemberObjects', c => c.me.checkMemberObjects({ ids: ['1'] }), { body: '{"ids":["1"]}' }],
  [
    "GET /me/reminderView(startDateTime='2024-01-01T00:00:00Z',endDateTime='2024-02-01T00:00:00Z')",
    c => c.me.reminderView({ endDateTime: '2024-02-01T00:00:00Z', startDateTime: '2024-01-01T00:00:00Z' }).page(),
  ],
]

describe('the Directory client', () => {
  for (const [line, use, expected = {}] of cases) {
    it(`sends ${line}`, async () => {
      const request = await requestOf(use)
      const [method, target] = line.split(/ (.*)/)
      expect(request?.method).toBe(method)
      // Keys stay encoded, so that the line shows what is sent; the query is shown as it is meant.
      const [path, query] = request?.url.replace(base, '').split('?') ?? []
      const decodedPath = path?.includes('(') ? decodeURIComponent(path) : path
      expect(query === undefined ? decodedPath : `${decodedPath}?${decodeURIComponent(query)}`).toBe(target)
      if ('body' in expected) expect(request?.body).toBe(expected.body)
      if (expected.headers) {
        const { accept, ...headers } = request?.headers ?? {}
        expect(accept).toBe('application/json')
        expect(headers).toEqual(expected.headers)
      }
    })
  }

  it('unwraps what an action returns', async () => {
    const { fetch } = recordingFetch(Response.json({ value: ['1', '2'] }))
    expect(await createDirectory({ baseUrl: base, fetch }).me.getMemberGroups({ securityEnabledOnly: false })).toEqual([
      '1',
      '2',
    ])
  })

  it('follows changes from one delta link to the next', async () => {
    const { fetch, sent } = recordingFetch(
      Response.json({ value: [{ id: '1' }], '@odata.nextLink': `${base}/users/delta?$skiptoken=a` }),
      Response.json({ value: [], '@odata.deltaLink': `${base}/users/delta?$deltatoken=b` }),
      Response.json({ value: [{ id: '1', '@removed': { reason: 'deleted' } }] }),
    )
    const delta = createDirectory({ baseUrl: base, fetch }).users.delta()
    let link = ''
    for await (const page of delta.byPage()) link = page.deltaLink ?? link
    const gone: string[] = []
    for await (const change of delta.resume(link)) if ('@removed' in change) gone.push(change['@removed'].reason)
    expect(gone).toEqual(['deleted'])
    expect(sent.map(request => request.url.replace(base, ''))).toEqual([
      '/users/delta',
      '/users/delta?$skiptoken=a',
      '/users/delta?$deltatoken=b',
    ])
  })
})
