import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { expect, it } from 'vitest'
import { createService } from '../../runtime/server/index.js'
import { buildServiceTable, loadSpecText } from '../../spec/language/index.js'
import { kyselyQueries } from './kysely-queries.js'

const spec = `specwright: 1
service: { name: shop, version: v1 }
resources:
  item: { kind: entityType, key: [id], properties: { id: { type: Int32 } } }
container: { items: { entitySet: item } }
operations:
  newest: { kind: function, returns: { type: item, collection: true } }
paths:
  /newest(): { get: { calls: newest } }
errors: {}
`

it('refuses to answer an operation, and says what to do', async () => {
  const { service } = loadSpecText(spec, 'shop.yaml')
  if (service === undefined) throw new Error('the spec is sound')
  const db = new Kysely<{ item: { id: number } }>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: target => new SqliteIntrospector(target),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  const table = buildServiceTable(service)
  const { collection } = kyselyQueries(table, { tables: { item: { table: 'item' } } }, { dialect: 'sqlite' })
  const errors: unknown[] = []
  const serve = createService(table, () => (call: object) => collection(db.selectFrom('item'), call), {
    onError: error => void errors.push(error),
  })
  expect((await serve(new Request('http://x.test/v1/newest()'))).status).toBe(500)
  expect(String(errors[0])).toBe(
    "TypeError: 'newest' calls the operation 'newest'. Answer it with a query of your own: these functions read the items of a path.",
  )
})
