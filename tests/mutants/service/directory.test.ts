import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadSpecText } from '../../../spec/language/index.js'
import { member } from '../testing/probe.js'
import type { Json } from './json.js'
import { createMutantService } from './service.js'
import type { Data, DataItem } from './store.js'

const text = readFileSync(new URL('../../../spec/directory.yaml', import.meta.url), 'utf8')
const { service } = loadSpecText(text, 'directory.yaml')
if (service === undefined) throw new Error('The spec has errors.')
const spec = service

const item = (ref: string, type: string, values: Record<string, Json>, others: Partial<DataItem> = {}): DataItem => ({
  ref,
  type,
  values: { id: ref, ...values },
  contained: {},
  links: {},
  ...others,
})

const message = (id: string, subject: string | null, receivedDateTime: string, isRead: boolean): DataItem =>
  item(id, 'message', {
    subject,
    receivedDateTime,
    isRead,
    importance: isRead ? 'low' : 'high',
    body: { contentType: 'html', content: `<p>${subject}</p>` },
  })

const data: Data = {
  sets: {
    users: [
      item(
        'ann',
        'user',
        { displayName: 'Ann', jobTitle: null, mail: 'ann@x', accountEnabled: true },
        {
          contained: {
            messages: [
              message('m1', 'Alpha', '2026-03-01T10:00:00Z', true),
              message('m2', null, '2026-03-01T10:00:00.5Z', false),
              message('m3', "O'Neil 50%", '2026-03-01T10:00:01Z', true),
            ],
            calendar: [item('cal', 'calendar', { name: 'Mine', color: 'auto' })],
          },
          links: { manager: ['bo'], memberOf: ['g1'] },
        },
      ),
      item('bo', 'user', {
        displayName: 'bo',
        jobTitle: 'Cook',
        mail: null,
        accountEnabled: null,
        assignedLicenses: [{ skuId: '6fd2c87f-b296-42f0-b197-1e91e994b900' }],
      }),
      item('cy', 'user', { displayName: 'Cy', jobTitle: 'cook', mail: null, accountEnabled: false }),
    ],
    groups: [
      item(
        'g1',
        'group',
        { displayName: 'One', securityEnabled: false, mailNickname: 'one' },
        { links: { memberOf: ['g2'] } },
      ),
      item('g2', 'group', { displayName: 'Two', securityEnabled: true, mailNickname: 'two' }),
    ],
  },
  singletons: {},
  principal: 'ann',
}

async function send(method: string, path: string, headers: Record<string, string> = {}, body?: Json) {
  return sendTo(createMutantService({ service: spec, data }), method, path, headers, body)
}

async function sendTo(
  answer: (request: Request) => Promise<Response>,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: Json,
) {
  const response = await answer(
    new Request(`http://service.example/v1.0${path}`, {
      method,
      headers: {
        authorization: 'Bearer mutant-token',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  const answered = await response.text()
  const json: Json =
    answered === '' || response.headers.get('content-type') === 'text/plain' ? null : JSON.parse(answered)
  return { status: response.status, headers: response.headers, text: answered, json }
}

const eventual = { ConsistencyLevel: 'eventual' }

/** The identifiers of a list. */
async function ids(query: string, path = '/users'): Promise<unknown> {
  const { json, text: answered } = await send('GET', `${path}?${query}`, eventual)
  const value = member(json, 'value')
  return Array.isArray(value) ? value.map(row => member(row, 'id')).join(' ') : answered
}

describe('a list', () => {
  it.each([
    ["$filter=displayName eq 'Ann'", 'ann'],
    ["$filter=displayName ne 'Ann'", 'bo cy'],
    ["$filter=jobTitle ne 'Cook'", 'ann cy'],
    ["$filter=not (jobTitle eq 'Cook')", 'ann cy'],
    ["$filter=jobTitle gt 'A'", 'bo cy'],
    ["$filter=not (jobTitle gt 'A')", 'ann'],
    ["$filter=startsWith(jobTitle,'C')", 'bo'],
    ["$filter=not startsWith(jobTitle,'C')", 'cy'],
    ["$filter=contains(jobTitle,'oo')", 'bo cy'],
    ["$filter=endsWith(jobTitle,'k') and displayName lt 'a'", 'cy'],
    ["$filter=tolower(displayName) eq 'cy'", 'cy'],
    ['$filter=jobTitle eq null', 'ann'],
    ['$filter=jobTitle ne null', 'bo cy'],
    ['$filter=accountEnabled eq true', 'ann'],
    ['$filter=accountEnabled eq null', 'bo'],
    ["$filter=displayName eq 'x' or displayName eq 'Ann' and jobTitle eq 'x'", ''],
    ["$filter=(displayName eq 'x' or displayName eq 'Ann') and jobTitle eq null", 'ann'],
    ["$filter=assignedLicenses/any(x:x/skuId eq '6FD2C87F-b296-42f0-b197-1e91e994b900')", 'bo'],
    ['$filter=not assignedLicenses/any(x:x/skuId eq null)', 'ann bo cy'],
    ['$orderby=displayName', 'ann cy bo'],
    ['$orderby=displayName desc', 'bo cy ann'],
    ['$orderby=mail,displayName desc', 'bo cy ann'],
    ['$orderby=mail desc,displayName', 'ann cy bo'],
    ['$orderby=displayName&$skip=1&$top=1', 'cy'],
    ['$search="displayName:ANN"', 'ann'],
    ['$search="displayName:an"', ''],
    ['$search="displayName:ann" OR "displayName:cy"', 'ann cy'],
  ])('%s', async (query, expected) => {
    expect(await ids(encodeURI(query))).toBe(expected)
  })

  it.each([
    ['$filter=receivedDateTime gt 2026-03-01T10:00:00Z', 'm2 m3'],
    ['$filter=receivedDateTime eq 2026-03-01T11:00:00%2B01:00', 'm1'],
    ['$filter=receivedDateTime le 2026-03-01T10:00:00.500Z', 'm1 m2'],
    ["$filter=importance eq 'high'", 'm2'],
    ["$filter=subject eq 'O''Neil 50%25'", 'm3'],
    ['$orderby=receivedDateTime desc', 'm3 m2 m1'],
    ['$orderby=subject', 'm2 m1 m3'],
  ])('of messages, %s', async (query, expected) => {
    expect(await ids(query, '/me/messages')).toBe(expected)
  })

  it('contains the selected properties and the expanded relations', async () => {
    const { json } = await send('GET', '/users?$select=id&$expand=manager($select=displayName)')
    expect(member(json, 'value')).toEqual([
      { '@odata.etag': 'W/"1"', id: 'ann', manager: { '@odata.etag': 'W/"1"', displayName: 'bo' } },
      { '@odata.etag': 'W/"1"', id: 'bo', manager: null },
      { '@odata.etag': 'W/"1"', id: 'cy', manager: null },
    ])
  })

  it('has pages whose links keep all options', async () => {
    const first = await send('GET', '/users?$top=2&$orderby=displayName%20desc&$select=id&$count=true')
    expect(member(first.json, '@odata.count')).toBe(3)
    const link = String(member(first.json, '@odata.nextLink'))
    const next = await send('GET', link.slice(link.indexOf('/users')))
    expect(member(next.json, 'value')).toEqual([{ '@odata.etag': 'W/"1"', id: 'ann' }])
    expect(member(next.json, '@odata.nextLink')).toBeUndefined()
    expect(member(next.json, '@odata.count')).toBe(3)
  })

  it('names the type of items of a derived type', async () => {
    const { json } = await send('GET', '/groups/g2/members?$select=id')
    expect(member(json, 'value')).toEqual([{ '@odata.type': '#directory.group', '@odata.etag': 'W/"1"', id: 'g1' }])
  })
})

describe('a rejection', () => {
  it.each([
    ['no credential', 'GET', '/users', { authorization: '' }, 401, 'InvalidAuthenticationToken'],
    ['a wrong credential', 'GET', '/users', { authorization: 'Bearer x' }, 401, 'InvalidAuthenticationToken'],
    [
      'contains without the header',
      'GET',
      "/users?$filter=contains(displayName,'a')",
      {},
      400,
      'Request_UnsupportedQuery',
    ],
    ['a search without the header', 'GET', '/users?$search="displayName:a"', {}, 400, 'Request_UnsupportedQuery'],
    ['the count path without the header', 'GET', '/users/$count', {}, 400, 'Request_UnsupportedQuery'],
    ['a malformed filter', 'GET', '/users?$filter=a%20eq', {}, 400, 'ErrorInvalidUrlQuery'],
    ['an unknown property', 'GET', '/users?$filter=nothing%20eq%201', {}, 400, 'ErrorInvalidUrlQuery'],
    ['an unknown option', 'GET', '/users?$frob=1', {}, 400, 'BadRequest'],
    ['an option of other endpoints', 'GET', '/me?$top=1', {}, 400, 'BadRequest'],
    ['an unknown item', 'GET', '/users/nobody', {}, 404, 'ErrorItemNotFound'],
    ['an unknown path', 'GET', '/nowhere', {}, 404, 'ResourceNotFound'],
    ['another method', 'DELETE', '/users', {}, 405, 'notAllowed'],
    ['a stale tag', 'DELETE', '/me/messages/m1', { 'If-Match': 'W/"9"' }, 412, 'ErrorIrresolvableConflict'],
    ['another media type', 'GET', '/users', { Accept: 'image/png' }, 406, 'NotAcceptable'],
  ])('answers %s', async (_what, method, path, headers, status, code) => {
    const answer = await send(method, path, headers)
    expect([answer.status, member(answer.json, 'error', 'code')]).toEqual([status, code])
  })

  it('lists the methods of a path', async () => {
    expect((await send('PUT', '/me/messages/m1')).headers.get('allow')).toBe('GET, PATCH, DELETE, HEAD, OPTIONS')
  })
})

describe('an item', () => {
  it.each([
    ['/me', 'ann'],
    ['/me/manager', 'bo'],
    ['/me/calendar', 'cal'],
    ['/users/cy', 'cy'],
    ['/me/messages/m2', 'm2'],
  ])('%s', async (path, id) => {
    expect(member((await send('GET', path)).json, 'id')).toBe(id)
  })

  it('is not sent again to a client that has it', async () => {
    const tag = (await send('GET', '/me')).headers.get('etag') ?? ''
    expect((await send('GET', '/me', { 'If-None-Match': tag })).status).toBe(304)
    expect((await send('GET', '/me', { 'If-None-Match': 'W/"0"' })).status).toBe(200)
  })

  it('honours a preference, in lists and alone', async () => {
    const headers = { Prefer: 'outlook.body-content-type="text"' }
    const body = { contentType: 'text', content: 'Alpha' }
    expect(member((await send('GET', '/me/messages/m1', headers)).json, 'body')).toEqual(body)
    expect(member((await send('GET', '/me/messages', headers)).json, 'value', 0, 'body')).toEqual(body)
  })
})

describe('the life cycle of an item', () => {
  it('consists of create, update and delete', async () => {
    const answer = createMutantService({ service: spec, data })
    const created = await sendTo(answer, 'POST', '/me/messages', {}, { subject: 'New', body: { content: 'x' } })
    const path = `/me/messages/${member(created.json, 'id')}`
    expect([created.status, member(created.json, 'importance'), member(created.json, 'body')]).toEqual([
      201,
      'normal',
      { contentType: 'text', content: 'x' },
    ])
    const tag = created.headers.get('etag') ?? ''
    const changed = await sendTo(answer, 'PATCH', path, { 'If-Match': tag }, { body: { contentType: 'html' } })
    expect([changed.status, member(changed.json, 'subject'), member(changed.json, 'body')]).toEqual([
      200,
      'New',
      { contentType: 'html', content: 'x' },
    ])
    expect((await sendTo(answer, 'PATCH', path, { 'If-Match': tag }, { subject: null })).status).toBe(412)
    expect((await sendTo(answer, 'DELETE', path)).status).toBe(204)
    expect((await sendTo(answer, 'GET', path)).status).toBe(404)
  })

  it.each([
    [{ nonsense: 1 }, 400, 'Request_BadRequest'],
    [{ isRead: 'yes' }, 400, 'Request_BadRequest'],
    [{ importance: 'urgent' }, 400, 'Request_BadRequest'],
    [{ isRead: null }, 400, 'Request_BadRequest'],
  ])('does not start with %j', async (body, status, code) => {
    const { json, status: answered } = await send('POST', '/me/messages', {}, body)
    expect([answered, member(json, 'error', 'code')]).toEqual([status, code])
  })

  it('does not start with the unique value of another item', async () => {
    const group = { displayName: 'Three', mailEnabled: false, mailNickname: 'one', securityEnabled: true }
    expect((await send('POST', '/groups', {}, group)).status).toBe(400)
    expect((await send('POST', '/groups', {}, { ...group, mailNickname: 'three' })).status).toBe(201)
  })

  it('is reported by delta queries', async () => {
    const answer = createMutantService({ service: spec, data })
    const first = await sendTo(answer, 'GET', '/users/delta?$select=jobTitle')
    await sendTo(answer, 'PATCH', '/me', {}, { jobTitle: 'New' })
    const link = String(member(first.json, '@odata.deltaLink'))
    const next = await sendTo(answer, 'GET', link.slice(link.indexOf('/users')))
    expect(member(next.json, 'value')).toEqual([{ '@odata.etag': 'W/"2"', id: 'ann', jobTitle: 'New' }])
  })
})

describe('an operation', () => {
  it.each([
    ['/me/getMemberGroups', { securityEnabledOnly: false }, ['g1', 'g2']],
    ['/me/getMemberGroups', { securityEnabledOnly: true }, ['g2']],
    ['/me/checkMemberObjects', { ids: ['g2', 'nobody'] }, ['g2']],
  ])('%s of %j', async (path, body, expected) => {
    expect(member((await send('POST', path, {}, body)).json, 'value')).toEqual(expected)
  })

  it('rejects invalid arguments', async () => {
    expect((await send('POST', '/me/getMemberGroups', {}, {})).status).toBe(400)
    expect((await send('GET', "/me/reminderView(startDateTime='',endDateTime='x')")).status).toBe(400)
  })
})
