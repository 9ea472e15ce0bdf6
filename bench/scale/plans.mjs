import { createServer } from 'node:http'
import { createReferenceService } from '../../dist/reference.js'
import { toNodeListener } from '../../dist/server.js'
import { createClient, scopes } from './requests.mjs'
import { spec } from './stores.mjs'

/** The plan of each statement of one request of each kind, as Markdown. The statements are read off the driver. */
export async function plansOf(store, kinds, { users }) {
  const seen = []
  const explain = store.startsWith('sqlite:') ? await watchSqlite(store, seen) : await watchPostgres(store, seen)
  const service = await createReferenceService({
    spec,
    store,
    authenticate: head => ({ id: subjectOf(head), scopes }),
  })
  const server = createServer(toNodeListener(service.fetch))
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const client = createClient(`http://127.0.0.1:${server.address().port}/v1.0`)
  const lines = []
  let number = Math.floor(users / 2)
  const random = limit => {
    number = (number * 48_271) % 2_147_483_647
    return number % limit
  }
  for (const { name, prepare, run } of kinds) {
    const state = await prepare?.(client)
    seen.length = 0
    await run(client, random, state)
    lines.push(`**${name}**`, '')
    const statements = new Map(
      seen.filter(each => /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)/i.test(each.sql)).map(each => [each.sql, each]),
    )
    for (const each of statements.values()) {
      const plan = await explain(each)
      lines.push('```', ...plan, '```', '')
    }
  }
  client.close()
  server.close()
  await service.close()
  await explain.close()
  return lines
}

function subjectOf(head) {
  const [, claims = ''] = (head.headers.get('authorization') ?? '').split('.')
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).sub
}

async function watchSqlite(store, seen) {
  const { default: Database } = await import('better-sqlite3')
  const { prepare } = Database.prototype
  Database.prototype.prepare = function watched(sql) {
    const statement = prepare.call(this, sql)
    for (const name of ['all', 'run']) {
      const own = statement[name]
      statement[name] = (...parameters) => {
        seen.push({ sql, parameters })
        return own.apply(statement, parameters)
      }
    }
    return statement
  }
  const database = new Database(store.slice('sqlite:'.length), { readonly: true })
  const known = ['within_page', 'within_time', 'regexp']
  for (const name of known) database.function(name, { varargs: true }, () => 1)
  const explain = async ({ sql, parameters }) => {
    try {
      const rows = prepare.call(database, `EXPLAIN QUERY PLAN ${sql}`).all(...parameters)
      const depth = new Map([[0, -1]])
      return rows.map(({ id, parent, detail }) => {
        depth.set(id, (depth.get(parent) ?? -1) + 1)
        return '  '.repeat(depth.get(id)) + detail
      })
    } catch (error) {
      return [`(no plan: ${error.message})`]
    }
  }
  return Object.assign(explain, { close: async () => database.close() })
}

async function watchPostgres(store, seen) {
  const { default: pg } = await import('pg')
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function watched(given, ...others) {
    if (typeof given?.text === 'string') seen.push({ sql: given.text, parameters: given.values ?? [] })
    return query.call(this, given, ...others)
  }
  const client = new pg.Client({ connectionString: store })
  await client.connect()
  const explain = async ({ sql, parameters }) => {
    await query.call(client, 'BEGIN')
    try {
      const { rows } = await query.call(client, {
        text: `EXPLAIN (ANALYZE, BUFFERS OFF, TIMING OFF, COSTS OFF, SUMMARY OFF) ${sql}`,
        values: parameters,
        rowMode: 'array',
      })
      return rows.map(([line]) => line)
    } catch (error) {
      return [`(no plan: ${error.message})`]
    } finally {
      await query.call(client, 'ROLLBACK')
    }
  }
  return Object.assign(explain, { close: () => client.end() })
}
