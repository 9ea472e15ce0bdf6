import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSpec } from '../../spec/language/index.js'
import { readData } from '../data/read-data.js'
import type { EntityRecord } from '../store/store.js'
import { type BothEngines, itemsOf, type Json, memberOf, openBoth } from '../testing/test-service.js'

/** Opens a packaged service with its data on both engines, for a caller with all scopes. */
async function openPackaged(name: string, principal: string): Promise<BothEngines> {
  const path = `spec/${name}.yaml`
  const { service } = await loadSpec(path)
  if (service === undefined) throw new Error(`${path} has errors.`)
  const records: EntityRecord[] = []
  for await (const record of readData(`spec/${name}.data.yaml`, service)) records.push(record)
  const scopes = service.authentication.scopes.map(scope => scope.name)
  return openBoth(path, records, { id: principal, scopes })
}

function lengthOf(list: Json): number {
  return Array.isArray(list) ? list.length : 0
}

const advanced = { headers: { ConsistencyLevel: 'eventual' } }

/** The response of both engines, which must be identical. */
async function sameOf({ services }: BothEngines, path: string) {
  const response = await services.sqlite.request(path, advanced)
  const other = await services.postgres.request(path, advanced)
  expect([other.status, other.text]).toEqual([response.status, response.text])
  return response
}

describe('the Directory', () => {
  let both: BothEngines
  beforeAll(async () => {
    both = await openPackaged('directory', 'mira')
  })
  afterAll(() => both.stop())

  it.each<[path: string, least: number]>([
    ['/users', 20],
    ['/users?$select=displayName,manager&$expand=manager($select=displayName),memberOf($select=id)', 20],
    ['/users?$filter=jobTitle eq null&$select=id', 1],
    ["/users?$filter=not startsWith(jobTitle,'A')&$orderby=jobTitle desc,surname&$count=true&$top=5", 1],
    ["/users?$filter=contains(displayName,'%25') or contains(displayName,'_') or contains(displayName,'''')", 0],
    ['/users?$filter=assignedLicenses/any(l:l/skuId ne null)&$select=id,assignedLicenses', 1],
    ['/users?$search="displayName:m" OR "mail:m"', 0],
    ['/groups?$expand=members($select=id)', 5],
    ['/groups?$expand=*', 5],
    ['/groups?$filter=securityEnabled eq true&$orderby=displayName desc', 1],
    ['/me/messages?$expand=attachments,singleValueExtendedProperties&$top=50', 20],
    ['/me/messages?$orderby=receivedDateTime desc,id&$top=7&$count=true', 7],
    ["/me/messages?$filter=importance eq 'high' or toRecipients/any(r:contains(r/emailAddress/address,'@'))", 1],
    ["/me/messages?$filter=body/contentType eq 'html' or from eq null", 1],
    ['/me/messages?$filter=receivedDateTime ge 2020-01-01T00:00:00Z and isRead eq false', 1],
    ['/me/drive/items?$expand=children($select=id),thumbnails', 10],
    ['/drive/items/folder-root/children?$expand=thumbnails', 1],
    ["/me/reminderView(startDateTime='2000-01-01T00:00:00Z',endDateTime='2100-01-01T00:00:00Z')", 1],
    ['/users/delta', 20],
  ])('answers %s alike on both engines', async (path, least) => {
    const response = await sameOf(both, path)
    expect(response.status, response.text).toBe(200)
    expect(itemsOf(response).length).toBeGreaterThanOrEqual(least)
  })

  it.each([
    ['/me', 200],
    ['/me/calendar', 200],
    ['/me/manager', 200],
    ['/me/messages/msg-01?$expand=attachments', 200],
    ['/me/messages/none', 404],
    ['/users/none', 404],
    ['/users/$count', 200],
    ["/users/$count?$filter=startsWith(displayName,'A')", 200],
    ['/drive/items/none/children', 404],
    ['/groups/none/members', 404],
  ])('answers %s with %i on both engines', async (path, status) => {
    expect((await sameOf(both, path)).status).toBe(status)
  })

  it.each(['text', 'html'])('sends bodies as %s to callers who prefer it', async wanted => {
    const headers = { prefer: `outlook.body-content-type="${wanted}"` }
    const { services } = both
    const response = await services.sqlite.request('/me/messages?$top=50&$select=body', { headers })
    expect(response.headers.get('preference-applied')).toContain('body-content-type')
    const types = itemsOf(response).map(item => memberOf(memberOf(item, 'body'), 'contentType'))
    expect(new Set(types.filter(type => type !== undefined))).toEqual(new Set([wanted]))
    expect((await services.postgres.request('/me/messages?$top=50&$select=body', { headers })).text).toBe(response.text)
  })

  it('hides the mailbox of each person from others', async () => {
    const { reference } = both.services.sqlite
    await reference.load([
      {
        type: 'user',
        properties: { id: 'stranger', displayName: 'S', userPrincipalName: 's' },
        contained: { messages: [{ type: 'message', properties: { id: 'secret', subject: 'secret' } }] },
      },
    ])
    expect((await both.services.sqlite.request('/me/messages/secret')).status).toBe(404)
    const patched = await both.services.sqlite.request('/me/messages/secret', {
      method: 'PATCH',
      body: { subject: 'x' },
    })
    expect(patched.status).toBe(404)
    expect((await both.services.sqlite.request('/me/messages/secret', { method: 'DELETE' })).status).toBe(404)
    const found = await both.services.sqlite.request("/me/messages?$filter=subject eq 'secret'")
    expect(itemsOf(found)).toEqual([])
  })
})

describe('the Library', () => {
  let both: BothEngines
  beforeAll(async () => {
    both = await openPackaged('library', 'nobody')
  })
  afterAll(() => both.stop())

  it.each<[path: string, least: number]>([
    ['/books', 3],
    ["/books?$filter=genres has library.genre'fiction'&$select=isbn,genres", 1],
    ["/books?$filter=genres eq 'fiction,science'", 1],
    ["/books?$filter=keywords/any(k:k eq 'classic') and year(published) lt 1900", 1],
    ['/books?$filter=price mul 2 ge 1.5 or pages mod 2 eq 0&$orderby=price desc,title', 1],
    ["/books?$filter=totalseconds(readingTime) gt 0 and readingTime lt duration'P10D'", 0],
    ['/books?$filter=added lt now() and edition/publisher/seat/city ne null', 0],
    ['/books?$filter=date(added) ge 2020-01-01 and length(title) gt 3 and round(rating) ge 0', 0],
    [
      '/books?$expand=authors($select=name),copies($expand=branch($select=name),loans($top=1;$orderby=borrowed desc)),prequel,sequels($levels=2),reviews',
      3,
    ],
    ["/books?$expand=copies($filter=condition eq 'good';$count=true;$top=1;$orderby=number desc)", 3],
    ['/books?$search=modern AND NOT kitten', 1],
    ['/books/library.audiobook', 0],
    ["/authors?$filter=born eq null or penNames/any(p:contains(p,''''))&$expand=books($expand=reviews)", 0],
    ['/authors?$orderby=name/family desc,born', 4],
    ['/copies?$expand=book($select=title;$expand=authors),branch', 1],
    ['/copies?$orderby=isbn,number desc&$filter=floor(paid) ge 0 or paid eq null', 1],
    ['/loans?$expand=copy($expand=book),member', 0],
    ['/members?$expand=loans,favourites,homeBranch', 1],
    ['/branches?$expand=parent,subBranches($expand=subBranches)', 4],
    ['/branches/MAIN/allSubBranches()', 3],
    ['/books/9780000000019/copies', 0],
    ['/books/9780000000019/authors', 1],
    ['/books/9780000000019/reviews', 0],
    ['/books/delta', 3],
  ])('answers %s alike on both engines', async (path, least) => {
    const response = await sameOf(both, path)
    expect(response.status, response.text).toBe(200)
    expect(itemsOf(response).length).toBeGreaterThanOrEqual(least)
  })

  it.each([
    ['/rules', 200],
    ['/books/9780000000019', 200],
    ['/books/none', 400],
    ['/books/9780000000019/prequel', 204],
    ['/books/9789999999999/prequel', 404],
    ['/books/$count?$filter=year(published) gt 0', 200],
    ['/books/9780000000019/availability(on=2024-01-01)', 501],
  ])('answers %s with %i on both engines', async (path, status) => {
    const response = await sameOf(both, path)
    expect(response.status, response.text).toBe(status)
  })

  it.each(['sqlite', 'postgres'] as const)('answers operations that are queries, on %s', async engine => {
    const { request } = both.services[engine]
    const [member] = itemsOf(await request('/members?$expand=loans,favourites&$orderby=cardNumber'))
    const path = `/members/${String(memberOf(member, 'id'))}`
    const between = await request(`${path}/loansBetween(from=1900-01-01,to=2999-12-31)`)
    expect(itemsOf(between).length).toBe(lengthOf(memberOf(member, 'loans')))
    expect(itemsOf(await request(`${path}/loansBetween(from=1900-01-01,to=1900-01-02)`))).toEqual([])
    const favourites = itemsOf(await request(`${path}/favourites`)).map(book => memberOf(book, 'isbn'))
    const body = { isbns: [...favourites, '9799999999999'] }
    const among = await request(`${path}/favouritesAmong`, { method: 'POST', body })
    expect(itemsOf(among).toSorted()).toEqual([...favourites].toSorted())
    const nobody = path.replace(/[0-9a-f]{12}$/, 'ffffffffffff')
    expect((await request(`${nobody}/loansBetween(from=1900-01-01,to=2999-12-31)`)).status).toBe(404)
  })

  it.each(['sqlite', 'postgres'] as const)('enforces referential integrity, on %s', async engine => {
    const { request } = both.services[engine]
    const create = async (path: string, body: object, status = 201) => {
      const created = await request(path, { method: 'POST', body })
      expect(created.status, created.text).toBe(status)
      return created
    }
    const change = async (path: string, method: string, body: object | undefined, status: number) => {
      const { headers } = await request(path)
      const tag = headers.get('etag')
      const changed = await request(path, {
        method,
        ...(body === undefined ? {} : { body }),
        ...(tag === null ? {} : { headers: { 'if-match': tag } }),
      })
      expect(changed.status, changed.text).toBe(status)
    }
    const book = { isbn: '9791111111111', title: 'New', price: 1.25 }
    await create('/books', book)
    await create('/books', book, 409)
    await create('/books', { ...book, isbn: '9791111111112', prequelIsbn: '9791111111111' })
    expect((await request('/books/9791111111112/prequel')).status).toBe(200)
    const copy = { isbn: '9791111111111', number: 1, branchCode: 'MAIN', acquired: '2024-01-01' }
    await create('/copies', { ...copy, branchCode: 'NOWHERE' }, 400)
    await create('/copies', copy)
    await change('/books/9791111111111', 'DELETE', undefined, 409)
    await change("/copies(isbn='9791111111111',number=1)", 'DELETE', undefined, 204)
    const first = await create('/books/9791111111111/reviews', { stars: 5 })
    const second = await create('/books/9791111111111/reviews', { stars: 1 })
    expect([first.text, second.text].map(text => /"number":(\d+)/.exec(text)?.[1])).toEqual(['1', '2'])
    await change('/books/9791111111111', 'PATCH', { price: 2.5, edition: { publisher: { name: 'P' } } }, 200)
    await change('/books/9791111111111', 'PUT', { title: 'Newer' }, 200)
    expect((await request('/books/9791111111111')).text).toContain('"price":null')
    await change('/books/9791111111111', 'DELETE', undefined, 204)
    expect((await request('/books/9791111111111/reviews')).status).toBe(404)
    expect((await request('/books/9791111111112')).text).toContain('"prequelIsbn":null')
    await change('/rules', 'PATCH', { finePerDay: 0.5 }, 200)
  })
})
