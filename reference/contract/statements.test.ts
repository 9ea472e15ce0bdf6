import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlaceholderValues, Session, Statement } from '../../sql/dialects/dialect.js'
import { type EngineName, engineNames, type StoreMaker, storeMaker } from '../testing/engines.js'
import { type ObservedService, observedService } from '../testing/observed-service.js'
import { sqliteDrivers } from '../testing/sqlite-drivers.js'

describe.each(engineNames)('on %s', engine => {
  let maker: StoreMaker
  let services: Readonly<Record<'directory' | 'library', ObservedService>>

  beforeAll(async () => {
    maker = await storeMaker(engine)
    services = {
      directory: await observedService('directory', 'mira', await maker.make()),
      library: await observedService('library', 'nobody', await maker.make()),
    }
  })
  afterAll(async () => {
    for (const { close } of Object.values(services)) await close()
    await maker.stop()
  })

  it.each<[service: 'directory' | 'library', path: string, count: number]>([
    ['directory', '/me', 1],
    ['directory', '/me/manager', 1],
    ['directory', '/me/messages/msg-01', 1],
    ['directory', '/me/messages/msg-01?$expand=attachments', 2],
    ['directory', '/me/messages?$top=1', 1],
    ['directory', '/me/messages?$top=50', 1],
    ['directory', '/me/messages?$top=50&$filter=isRead eq false&$orderby=receivedDateTime desc', 1],
    ['directory', '/me/messages?$top=50&$count=true', 2],
    ['directory', '/me/messages?$top=1&$expand=attachments', 2],
    ['directory', '/me/messages?$top=50&$expand=attachments', 2],
    ['directory', '/me/messages?$top=50&$expand=attachments,singleValueExtendedProperties', 3],
    ['directory', '/users?$top=50&$expand=manager,memberOf', 3],
    // On SQLite, the first one finds out whether many items have the word.
    ['directory', '/users?$search="displayName:m"', engine === 'postgres' ? 1 : 2],
    ['directory', '/users/$count', 1],
    ['directory', '/groups?$expand=members', 2],
    ['directory', '/drive/items/folder-root/children?$expand=thumbnails', 2],
    ['directory', "/me/reminderView(startDateTime='2000-01-01T00:00:00Z',endDateTime='2100-01-01T00:00:00Z')", 1],
    ['library', '/books?$expand=copies($expand=branch,loans)', 4],
    ['library', '/books?$top=1&$expand=copies($expand=branch,loans)', 4],
    ['library', '/books?$expand=copies($count=true;$top=1)', 3],
    ['library', '/books?$expand=authors($expand=books),reviews', 4],
    ['library', '/branches/MAIN/allSubBranches()', 1],
  ])('in the %s, %s takes %i statements, however many items there are', async (service, path, count) => {
    const statements: string[] = []
    await services[service].request(path, ({ sql }) => void statements.push(sql))
    expect(statements.length, statements.join('\n')).toBe(count)
  })

  it.each([2, 3, 4, 20])('a search for %i words joins at most three of them', async count => {
    const statements: string[] = []
    const phrase = Array.from({ length: count }, (_, index) => `w${index}`).join(' ')
    await services.library.request(`/books?$search="${phrase}"`, ({ sql }) => void statements.push(sql))
    const searched = 3
    expect(statements.join().match(/\bjoin\b.*?\bword\b/gi)?.length).toBe(Math.min(count - 1, 2) * searched)
  })

  it('a page after a next link takes one statement', async () => {
    const { request } = services.directory
    const statements: string[] = []
    const next = await request('/users?$top=5&$orderby=displayName', () => undefined)
    await request(next ?? '', ({ sql }) => void statements.push(sql))
    expect(statements.length, statements.join('\n')).toBe(1)
  })
})

/** How each engine explains a statement, and how it names full scans and sorts. */
const engines: readonly { readonly engine: EngineName; readonly explain: string; readonly expensive: RegExp }[] = [
  ...sqliteDrivers.map(({ name }) => ({
    engine: name,
    explain: 'EXPLAIN QUERY PLAN',
    expensive: /SCAN (?!CONSTANT|page|summed|sized|\(subquery)|TEMP B-TREE/,
  })),
  { engine: 'postgres', explain: 'EXPLAIN', expensive: /Seq Scan|Sort/ },
]

/** For small tables, PostgreSQL prefers full scans and sorts. */
const unwilling = '-c enable_seqscan=off -c enable_bitmapscan=off -c enable_sort=off'

const since = '2000-01-01T00:00:00Z'

describe.each(engines)('on $engine', ({ engine, explain, expensive }) => {
  let maker: StoreMaker
  let service: ObservedService

  beforeAll(async () => {
    maker = await storeMaker(engine)
    const address = await maker.make()
    const willing = engine !== 'postgres' ? address : `${address}?options=${encodeURIComponent(unwilling)}`
    service = await observedService('directory', 'mira', willing)
  })
  afterAll(async () => {
    await service.close()
    await maker.stop()
  })

  const plans: string[] = []
  const explained = async (statement: Statement, values: PlaceholderValues, session: Session): Promise<void> => {
    const rows = await session.all({ ...statement, sql: `${explain} ${statement.sql}` }, values)
    plans.push(statement.sql, ...rows.map(row => row.map(String).join(' ')))
  }

  it.each([
    '/users/mira',
    '/me/messages/msg-01?$select=subject',
    "/users?$filter=department eq 'Sales'&$top=5",
    "/users?$filter=startsWith(displayName,'A')&$orderby=displayName&$top=5",
    "/users?$filter=startsWith(displayName,'A')&$orderby=displayName desc&$top=5",
    "/users/$count?$filter=startsWith(displayName,'A')",
    '/users?$orderby=displayName&$top=2',
    '/users?$orderby=displayName desc&$top=2',
    '/me/messages?$orderby=receivedDateTime&$top=2',
    '/me/messages?$orderby=receivedDateTime desc&$top=2',
    `/me/messages?$filter=receivedDateTime ge ${since}&$orderby=receivedDateTime desc&$top=2`,
    `/me/messages?$filter=receivedDateTime ge ${since} and isRead eq false&$orderby=receivedDateTime desc&$top=1`,
  ])('an index serves %s, its order and its next page', async path => {
    plans.length = 0
    const next = await service.request(path, explained)
    if (next !== undefined) await service.request(next, explained)
    expect(plans.length).toBeGreaterThan(1)
    expect(plans.join('\n')).not.toMatch(expensive)
  })
})
