import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Session } from '../store/engine/engine.js'
import type { SlotValues } from '../store/engine/sql-value.js'
import type { Statement } from '../store/engine/statement.js'
import { type EngineName, type StoreMaker, storeMaker } from '../testing/engines.js'
import { type ListenedService, listenedService } from '../testing/listened-service.js'

/** How each engine tells what it is about to do, and what it says of looking at all rows and of sorting. */
const engines: readonly { readonly engine: EngineName; readonly explain: string; readonly dear: RegExp }[] = [
  { engine: 'sqlite', explain: 'EXPLAIN QUERY PLAN', dear: /SCAN (?!CONSTANT|page)|TEMP B-TREE/ },
  { engine: 'postgres', explain: 'EXPLAIN', dear: /Seq Scan|Sort/ },
]

/** PostgreSQL would rather read a table of a few rows whole, and sort them. */
const unwilling = '-c enable_seqscan=off -c enable_bitmapscan=off -c enable_sort=off'

const since = '2000-01-01T00:00:00Z'

describe.each(engines)('on $engine', ({ engine, explain, dear }) => {
  let maker: StoreMaker
  let service: ListenedService

  beforeAll(async () => {
    maker = await storeMaker(engine)
    const address = await maker.make()
    const willing = engine === 'sqlite' ? address : `${address}?options=${encodeURIComponent(unwilling)}`
    service = await listenedService('directory', 'mira', willing)
  })
  afterAll(async () => {
    await service.close()
    await maker.stop()
  })

  const plans: string[] = []
  const explained = async (statement: Statement, values: SlotValues, session: Session): Promise<void> => {
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
    const next = await service.ask(path, explained)
    if (next !== undefined) await service.ask(next, explained)
    expect(plans.length).toBeGreaterThan(1)
    expect(plans.join('\n')).not.toMatch(dear)
  })
})
