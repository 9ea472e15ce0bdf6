import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type StoreMaker, storeMaker } from '../testing/engines.js'
import { openService, type RequestOptions, type TestedService } from '../testing/test-service.js'

// What a distributed PostgreSQL needs to route the statements of the hot paths, read from their text. See docs/operations.md.

const scopes = ['Mail.Read', 'Mail.ReadWrite', 'User.Read', 'User.Read.All', 'User.ReadBasic.All', 'User.ReadWrite']
const message = {
  ...{ id: 'm0', subject: 'A subject', body: { contentType: 'text', content: 'A text.' } },
  from: { emailAddress: { name: 'Ada', address: 'ada@example.com' } },
  toRecipients: [{ emailAddress: { name: 'Bob', address: 'bob@example.com' } }],
  ...{ receivedDateTime: '2026-01-01T00:00:00Z', isRead: false },
}
const user = { id: 'u0', displayName: 'Ann', userPrincipalName: 'u0@example.com', mail: 'u0@example.com' }

let maker: StoreMaker
let service: TestedService
beforeAll(async () => {
  maker = await storeMaker('postgres')
  const records = [
    { type: 'user', properties: user, contained: { messages: [{ type: 'message', properties: message }] } },
  ]
  service = await openService('spec/directory.yaml', await maker.make(), records, { id: 'u0', scopes })
})
afterAll(async () => {
  await service.reference.close()
  await maker.stop()
})

/** The statements that a request runs on PostgreSQL. */
async function statementsOf(path: string, options: RequestOptions): Promise<readonly string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    const { status, text } = await service.request(path, options)
    expect([status < 300, text]).toEqual([true, text])
    return query.mock.calls.flatMap(([statement]) => {
      const given: unknown = statement
      const sql = typeof given === 'object' && given !== null && 'text' in given ? given.text : given
      return typeof sql === 'string' && !/^(?:BEGIN|COMMIT|SET)/.test(sql) ? [sql] : []
    })
  } finally {
    query.mockRestore()
  }
}

const tableName = /\b(?:FROM|JOIN|INTO|(?<!FOR )UPDATE)\s+("[^"]*"(?:\."[^"]*")*|\w+\b(?!\s*\())/gi
const nameOfSubquery = /("[^"]+"|\w+)(?:\s+\([^)]*\))?\s+AS\s+(?:NOT\s+)?(?:MATERIALIZED\s+)?\(/gi

/** The tables that a statement names, also in its subqueries. */
function tablesIn(sql: string): readonly string[] {
  const subqueries = new Set([...sql.matchAll(nameOfSubquery)].map(([, name]) => name))
  return [...sql.matchAll(tableName)].flatMap(([, name = '']) => (subqueries.has(name) ? [] : [name]))
}

const mail = '/me/messages'
interface HotPath {
  readonly name: string
  readonly path: string
  readonly options?: RequestOptions
}

const eventual = { headers: { consistencylevel: 'eventual' } }
const { subject, body, toRecipients } = message

const hotPaths: readonly HotPath[] = [
  { name: 'a message', path: `${mail}/m0` },
  { name: 'a page of mail', path: `${mail}?$top=10` },
  { name: 'a filtered page', path: `${mail}?$filter=isRead eq false&$top=10` },
  { name: 'an ordered page', path: `${mail}?$orderby=receivedDateTime desc&$top=10` },
  { name: 'a search', path: `${mail}?$search="subject:subject"`, options: eventual },
  { name: 'a count', path: `${mail}?$count=true&$top=1`, options: eventual },
  { name: 'a create', path: mail, options: { method: 'POST', body: { subject, body, toRecipients } } },
  { name: 'an update', path: `${mail}/m0`, options: { method: 'PATCH', body: { isRead: true } } },
  { name: 'a user', path: '/users/u0' },
  { name: 'users', path: '/users?$top=10' },
  { name: 'a removal', path: `${mail}/m0`, options: { method: 'DELETE' } },
]

describe.each(hotPaths)('the statements of $name', ({ path, options = {} }) => {
  let statements: readonly string[] = []
  beforeAll(async () => {
    statements = await statementsOf(path, options)
  })

  it('name tables of the store without a schema, so that the schema of each tenant leads to its node', () => {
    expect(statements.length).toBeGreaterThan(0)
    for (const sql of statements) {
      const tables = tablesIn(sql)
      for (const table of tables) expect(table, sql).toMatch(/^"[^".]+(?:\.[^".]+)*"$/)
    }
  })

  it('on messages carry their owner, or the number of the message that a statement with the owner has found', () => {
    const found: boolean[] = []
    for (const sql of statements.filter(each => tablesIn(each).includes('"message"'))) {
      const carriesOwner = sql.includes('"$owner.messages"')
      const carriesRow = /"\$id"\s*=\s*(?:CAST\()?\$\d/.test(sql)
      expect(carriesOwner || (carriesRow && found.includes(true)), sql).toBe(true)
      found.push(carriesOwner)
    }
    if (path.startsWith(mail)) expect(found).toContain(true)
  })
})
