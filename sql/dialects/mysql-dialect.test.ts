import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql as drizzleSql } from 'drizzle-orm'
import {
  boolean,
  char,
  date,
  datetime,
  decimal,
  int,
  json,
  mysqlEnum,
  mysqlTable,
  smallint,
  text,
  timestamp,
  varchar,
} from 'drizzle-orm/mysql-core'
import { drizzle } from 'drizzle-orm/mysql2'
import fc from 'fast-check'
import { Kysely, MysqlDialect, sql } from 'kysely'
import { createPool, type Pool, type PoolOptions } from 'mysql2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runConformance } from '../../conformance/index.js'
import { filterArbitrary } from '../../reference/testing/query-arbitraries.js'
import { expandedRows, type SampleRow, sampleRows } from '../../reference/testing/sample-rows.js'
import { sampleService } from '../../reference/testing/sample-service.js'
import {
  EvaluationError,
  type Expression,
  evaluateFilter,
  parseFilter,
  printFilter,
} from '../../runtime/query/index.js'
import { createService, RequestFault, type Service } from '../../runtime/server/index.js'
import { buildServiceTable, loadSpecText } from '../../spec/language/index.js'
import type { DrizzleMapping } from '../mapping/drizzle-mapping.js'
import { drizzleQueries } from '../mapping/drizzle-queries.js'
import { kyselyQueries } from '../mapping/kysely-queries.js'
import type { TableMapping } from '../mapping/mapping.js'
import { storedInstant } from '../values/temporal.js'
import { mysqlDialect } from './mysql-dialect.js'

const mariadbd = '/usr/sbin/mariadbd'
const isRequired = process.env['MARIADB'] === 'required'

interface Server {
  readonly connection: PoolOptions
  readonly stop: () => Promise<void>
}

/** A MariaDB server on a socket in a temporary folder, in memory where that is possible. */
async function startMariadb(): Promise<Server> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'specwright-mariadb-'))
  const data = join(folder, 'data')
  const common = ['--no-defaults', `--datadir=${data}`, '--user=root']
  execFileSync('mariadb-install-db', [...common, '--auth-root-authentication-method=normal', '--skip-test-db'])
  const socketPath = join(folder, 'socket')
  const child = spawn(mariadbd, [...common, `--socket=${socketPath}`, '--skip-networking'], { stdio: 'ignore' })
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  while (!existsSync(socketPath) && child.exitCode === null) await delay(50)
  return {
    connection: { socketPath, user: 'root' },
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The servers: MariaDB if it is installed, and a running MySQL that `MYSQL` names, such as mysql://root@127.0.0.1:3306. */
const uri = process.env['MYSQL']
const servers: { readonly dialect: 'mysql' | 'mariadb'; readonly start: () => Promise<Server> }[] = []
if (existsSync(mariadbd)) servers.push({ dialect: 'mariadb', start: startMariadb })
if (uri !== undefined)
  servers.push({ dialect: 'mysql', start: async () => ({ connection: { uri }, stop: async () => {} }) })

/** A row that MySQL can store: it has no durations, no infinity, and UTC in its times. */
function storable(row: SampleRow): SampleRow {
  const value = (given: unknown): unknown => {
    if (typeof given === 'string') return instantOf(given) ?? given
    if (Array.isArray(given)) return given.map(value)
    if (typeof given !== 'object' || given === null) return given
    return Object.fromEntries(Object.entries(given).map(([name, member]) => [name, value(member)]))
  }
  const { score } = row
  const rest = { ...row, span: null, rights: null, score: typeof score === 'number' ? score : null }
  return Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, value(member)]))
}

function instantOf(text: string): string | undefined {
  const stored = /^\d{4}-\d\d-\d\dT/.test(text) ? storedInstant(text) : undefined
  return stored === undefined ? undefined : `${stored}Z`
}

const sampleTables = `
  CREATE TABLE samples (
    id varchar(20) PRIMARY KEY, name text NOT NULL, note text, flag boolean, count int, big bigint, price decimal(40,20),
    score double, code char(36), day date, moment datetime(6), clock time(6), mood enum('low', 'even', 'high'), part json,
    tags json NOT NULL, numbers json NOT NULL, parts json NOT NULL, next_id varchar(20)
  );
  CREATE TABLE friends (sample varchar(20), friend varchar(20), PRIMARY KEY (sample, friend));`

const sampleMapping: TableMapping = {
  tables: {
    sample: {
      table: 'samples',
      columns: { span: null, rights: null },
      version: 'count',
      relations: { next: { column: 'next_id' }, friends: { through: 'friends', from: 'sample', to: 'friend' } },
    },
  },
}

it('avoids EXISTS over JSON_TABLE, and subqueries in its argument, which MySQL gets wrong', () => {
  const db = new Kysely({ dialect: new MysqlDialect({ pool: createPool({}) }) })
  const { jsonItems, jsonSome } = mysqlDialect('mysql')
  const rows = sql`FROM ${jsonItems({ json: sql`(SELECT tags FROM other)`, path: [] }, 'x')}`
  expect(jsonSome(rows).compile(db).sql).toBe(
    '((SELECT COUNT(*) FROM (SELECT (SELECT tags FROM other) AS `json`) AS `xj`, JSON_TABLE(CONVERT(`xj`.`json` USING utf8mb4), ' +
      "'$[*]' COLUMNS (`key` FOR ORDINALITY, `value` JSON PATH '$')) AS `x`) > 0)",
  )
})

it.skipIf(!isRequired)('MariaDB is installed: apt-get install mariadb-server', () =>
  expect(existsSync(mariadbd)).toBe(true),
)

if (servers.length > 0) {
  describe.each(servers)('queries on $dialect', ({ dialect, start }) => {
    let server: Server
    let pool: Pool
    let db: Kysely<Record<string, Record<string, unknown>>>
    const statements: string[] = []
    const name = `specwright_${process.pid}`

    const run = async (
      text: string,
      values: (object | string | number | boolean | null | undefined)[] = [],
    ): Promise<void> => {
      await pool.promise().query({ sql: text, values })
    }
    beforeAll(async () => {
      server = await start()
      const { connection } = server
      const admin = createPool(connection).promise()
      await admin.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`)
      await admin.end()
      pool = createPool({ ...connection, database: name, multipleStatements: true, timezone: 'Z' })
      pool.on('connection', session => session.query("SET time_zone = '+02:00'"))
      db = new Kysely({ dialect: new MysqlDialect({ pool }), log: ({ query }) => void statements.push(query.sql) })
    })
    afterAll(async () => {
      await run(`DROP DATABASE ${name}`)
      await db.destroy()
      await server.stop()
    })

    describe('of samples', () => {
      const rows = sampleRows(60).map(storable)
      const expanded = expandedRows(rows)
      const table = buildServiceTable(sampleService())
      const { types } = table
      const route = table.routes.find(({ name }) => name === 'samples.list')

      beforeAll(async () => {
        await run(sampleTables)
        for (const [index, row] of rows.entries()) {
          const next: unknown = expanded[index]?.['next']
          const stored = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
            if (name === 'span' || name === 'rights') return []
            if (typeof value === 'object' && value !== null) return [[name, JSON.stringify(value)]]
            return [
              [name, name === 'moment' && typeof value === 'string' ? value.slice(0, -1).replace('T', ' ') : value],
            ]
          })
          const all = [...stored, ['next_id', idOf(next)] as const]
          const names = all.map(([name]) => `\`${name}\``).join()
          await run(`INSERT INTO samples (${names}) VALUES (?)`, [all.map(([, value]) => value)])
          const friends: unknown = expanded[index]?.['friends']
          for (const friend of Array.isArray(friends) ? friends : [])
            await run('INSERT INTO friends VALUES (?, ?)', [idOf(row), idOf(friend)])
        }
      })

      const idOf = (row: unknown): string | null =>
        typeof row === 'object' && row !== null && 'id' in row ? String(row.id) : null

      /** The ids of the samples that a filter keeps; undefined if it is refused. */
      async function selected(filter: Expression): Promise<readonly unknown[] | undefined> {
        const { collection } = kyselyQueries(table, sampleMapping, { dialect })
        const query = { filter, select: [{ path: ['id'] }] }
        const call = {
          route,
          query,
          keys: {},
          principal: { id: '', scopes: [] },
          pageSize: undefined,
          limit: undefined,
        }
        try {
          return (await collection(db.selectFrom('samples'), call)).value.map(({ id }) => id)
        } catch (error) {
          if (error instanceof RequestFault && error.fault === 'unsupportedQueryOption') return undefined
          throw error
        }
      }

      function evaluated(filter: Expression): readonly unknown[] | undefined {
        try {
          return expanded.filter(row => evaluateFilter(filter, row, { types, type: 'sample' })).map(row => row['id'])
        } catch (error) {
          if (error instanceof EvaluationError) return undefined
          throw error
        }
      }

      it('agree with the evaluator, or are refused', async () => {
        const numRuns = Number(process.env['RUNS'] ?? 150)
        let answered = 0
        await fc.assert(
          fc.asyncProperty(filterArbitrary(), async filter => {
            // The letter case of texts is that of the database.
            fc.pre(!/to(?:lower|upper)/.test(printFilter(filter)))
            const wanted = evaluated(filter)
            fc.pre(wanted !== undefined)
            const found = await selected(filter)
            if (found === undefined) return
            answered++
            expect(found, printFilter(filter)).toEqual(wanted)
          }),
          { numRuns },
        )
        // About seven in ten are answered. So low a limit fails only if the compiler refuses too much, not by chance.
        expect(answered).toBeGreaterThan(numRuns / 3)
      })

      it.each([
        "name eq 'a'",
        "note eq ' a '",
        "note ne 'A'",
        "contains(note,'%')",
        "startswith(note,'a_')",
        "endswith(note,'')",
        "tolower(note) eq 'ä'",
        'length(note) eq 1',
        "indexof(note,'b') eq 1",
        "substring(note,1) eq 'b'",
        "concat(note,'x') eq 'ax'",
        'price eq 0.1',
        'price add 0.2 eq 0.3',
        'count add 1 gt 2147483647',
        'big mul 3 gt 9007199254740992',
        'count div 2 eq -3',
        'count mod 2 eq -1',
        'moment eq 2024-02-29T23:59:59.5Z',
        'moment gt 2024-02-29T23:59:59.123455Z',
        'year(moment) eq 1969',
        'day lt 2000-02-29',
        'hour(clock) eq 12',
        'clock gt 12:30:00',
        "mood gt 'low'",
        'code eq f0000000-0000-4000-8000-00000000000a',
        "part/label eq 'ä'",
        'part/weight gt 0.2',
        'part/ready',
        'part eq null',
        'part/inner/label eq null',
        "tags/any(t:t eq 'a')",
        "tags/any(t:t ge 'b')",
        "not tags/any(t:t eq 'b')",
        "'' in tags",
        "next/tags/any(t:t eq 'a')",
        'next/parts/all(p:p/size gt 1)',
        "friends/any(f:f/tags/any(t:t ge 'b'))",
        "friends/any(f:'' in f/tags and tags/$count gt 1)",
        'tags/$count eq 2',
        'parts/any(p:p/size gt 1 and p/label ne null)',
        'numbers/all(n:n gt 0)',
        'next/count gt 1',
        'friends/any(f:f/flag)',
        'friends/$count gt 1',
      ])('agree with the evaluator on %s', async text => {
        const filter = parseFilter(text)
        expect([text, await selected(filter)]).toEqual([text, evaluated(filter)])
      })

      it.each([
        "trim(name) eq 'a'",
        "matchesPattern(name,'a')",
        'price div 3 eq 0.1',
        'price mul 0.1 eq 0.01',
        'score div 2 gt 0',
        'count divby 2 eq 0.5',
        "cast(count,Edm.String) eq '1'",
        "moment add duration'PT1S' gt 2024-01-01T00:00:00Z",
        'score lt INF',
        'price lt 0.1234567890123456789012345678901',
        'price lt 1234567890123456789012345678901.5',
      ])('refuse %s', async text => {
        expect(await selected(parseFilter(text))).toBeUndefined()
      })
    })

    describe('over tables that exist already', () => {
      const text = readFileSync(new URL('../../examples/database-kysely/desk.yaml', import.meta.url), 'utf8')
        .replaceAll(', add, sub, mul]', ', add, sub]')
        .replaceAll(/^ +search: .*syntax: words.*$/gm, '')
        .replace(', search: words', '')
      const { service } = loadSpecText(text, 'desk.yaml')
      if (service === undefined) throw new Error('The spec is wrong.')
      const spec = service
      const table = buildServiceTable(spec)
      beforeAll(() => run(deskTables))

      /** A service whose handlers read tickets and agents. */
      function serviceWith({
        collection,
        item,
        count,
      }: Readonly<Record<'collection' | 'item' | 'count', Read>>): Service {
        const handlers = new Map([
          ['tickets.list', (call: object) => collection('cases', call)],
          ['tickets.get', (call: object) => item('cases', call)],
          ['tickets.count', (call: object) => count('cases', call)],
          ['tickets.watchers.list', (call: object) => collection('staff', call)],
          ['agents.list', (call: object) => collection('staff', call)],
          ['agents.get', (call: object) => item('staff', call)],
          ['agents.tickets.list', (call: object) => collection('cases', call)],
        ])
        return createService(table, route => handlers.get(route.name), {
          authenticate: ({ headers }) =>
            headers.get('authorization') === 'Bearer t' ? { id: 't', scopes: ['Desk.Read'] } : undefined,
          context: () => ({ company: 1 }),
        })
      }

      async function conforms(target: Service, requests: number): Promise<void> {
        const { verdict, violations } = await runConformance({ spec, target, token: 't', requests, seed: 1 })
        expect(violations.map(({ rule, message, exchanges }) => [rule, message, exchanges.at(-1)?.curl])).toEqual([])
        expect(verdict).toBe('conforms')
      }

      it('conform to a spec with Kysely, and expand with one statement for each level', async () => {
        const queries = kyselyQueries<Caller>(table, deskMapping, { dialect })
        const service = serviceWith({
          collection: (from, call) => queries.collection(db.selectFrom(from), call),
          item: (from, call) => queries.item(db.selectFrom(from), call),
          count: (from, call) => queries.count(db.selectFrom(from), call),
        })
        await conforms(service, 400)
        statements.length = 0
        const path = '/tickets?$expand=watchers($expand=tickets)&$top=30'
        await service(new Request(`http://desk.example/v1.0${path}`, { headers: { authorization: 'Bearer t' } }))
        expect(statements).toHaveLength(3)
      })

      it('conform to a spec with Drizzle', async () => {
        const queries = drizzleQueries(table, drizzleDesk, { dialect, sql: drizzleSql })
        const drizzled = drizzle(pool)
        const service = serviceWith({
          collection: (_from, call) => queries.collection(drizzled, call),
          item: (_from, call) => queries.item(drizzled, call),
          count: (_from, call) => queries.count(drizzled, call),
        })
        await conforms(service, 200)
      })
    })
  })
}

type Read = (from: string, call: object) => Promise<unknown>

interface Caller {
  readonly company: number
}

const accounts = mysqlTable('accounts', { login: varchar({ length: 20 }).primaryKey(), mail: varchar({ length: 254 }) })
const staff = mysqlTable('staff', {
  id: char('staff_id', { length: 36 }).primaryKey(),
  company: int().notNull(),
  name: varchar('full_name', { length: 100 }).notNull(),
  login: varchar({ length: 20 }),
  active: boolean('is_active').notNull(),
  leftAt: datetime('left_at'),
})
const cases = mysqlTable('cases', {
  id: int('case_no').primaryKey(),
  company: int().notNull(),
  subject: text('title').notNull(),
  status: mysqlEnum('state', ['open', 'waiting', 'solved']).notNull(),
  priority: smallint('urgency'),
  openedAt: timestamp('created', { fsp: 3 }).notNull(),
  dueOn: date('due_on'),
  estimate: decimal('hours', { precision: 9, scale: 2 }),
  details: json().notNull(),
  labels: json('tags').notNull(),
  owner: char({ length: 36 }),
  deletedAt: datetime('deleted_at'),
  changes: int().notNull(),
})
const watchers = mysqlTable('case_watchers', { caseNo: int('case_no'), staffId: char('staff_id', { length: 36 }) })

const drizzleDesk: DrizzleMapping<Caller> = {
  tables: {
    ticket: {
      table: cases,
      columns: { reporter: { column: cases.details, path: ['reporter'] } },
      version: cases.changes,
      where: { deletedAt: null, company: ({ context }) => context.company },
      relations: { assignee: { column: cases.owner }, watchers: { from: watchers.caseNo, to: watchers.staffId } },
    },
    agent: {
      table: staff,
      columns: { email: accounts.mail },
      joins: [{ table: accounts, on: { login: staff.login } }],
      where: { leftAt: null, company: ({ context }) => context.company },
      relations: { tickets: { foreignKey: cases.owner } },
    },
  },
}

const deskMapping: TableMapping<Caller> = {
  tables: {
    ticket: {
      table: 'cases',
      columns: {
        id: 'case_no',
        subject: 'title',
        status: 'state',
        priority: 'urgency',
        openedAt: { column: 'created', type: 'timestamptz' },
        dueOn: 'due_on',
        estimate: 'hours',
        reporter: { column: 'details', path: ['reporter'] },
        labels: 'tags',
      },
      version: 'changes',
      where: { deleted_at: null, company: ({ context }) => context.company },
      relations: {
        assignee: { column: 'owner' },
        watchers: { through: 'case_watchers', from: 'case_no', to: 'staff_id' },
      },
    },
    agent: {
      table: 'staff',
      columns: { id: 'staff_id', name: 'full_name', email: { join: 'account', column: 'mail' }, active: 'is_active' },
      joins: { account: { table: 'accounts', on: { login: 'login' } } },
      where: { left_at: null, company: ({ context }) => context.company },
      relations: { tickets: { foreignKey: 'owner' } },
    },
  },
}

/** The numbers from 1 to a last one, for both servers. */
const numbers = (last: number): string =>
  `WITH RECURSIVE n (seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM n WHERE seq < ${last})`

const deskTables = `
  CREATE TABLE accounts (login varchar(20) PRIMARY KEY, mail varchar(254));
  CREATE TABLE staff (
    staff_id char(36) PRIMARY KEY, company int NOT NULL, full_name varchar(100) NOT NULL, login varchar(20),
    is_active boolean NOT NULL, left_at datetime
  );
  CREATE TABLE cases (
    case_no int PRIMARY KEY, company int NOT NULL, title text NOT NULL, state enum('open', 'waiting', 'solved') NOT NULL,
    urgency smallint, created timestamp(3) NOT NULL, due_on date, hours decimal(9, 2), details json NOT NULL, tags json NOT NULL,
    owner char(36), deleted_at datetime, changes int NOT NULL DEFAULT 1
  );
  CREATE TABLE case_watchers (case_no int NOT NULL, staff_id char(36) NOT NULL, PRIMARY KEY (case_no, staff_id));
  INSERT INTO accounts ${numbers(9)} SELECT CONCAT('user', seq), CONCAT('user', seq, '@desk.example') FROM n;
  INSERT INTO staff ${numbers(24)} SELECT
    CONCAT('00000000-0000-4000-8000-', LPAD(seq, 12, '0')), 1 + seq MOD 2,
    CONCAT(ELT(1 + seq MOD 6, 'Ann', 'ann', 'Éva', 'Bo ', 'Zoë', '張偉'), ' ', seq DIV 6), IF(seq MOD 3 > 0 AND seq < 10, CONCAT('user', seq), NULL),
    seq MOD 5 > 0, IF(seq MOD 11 = 0, '2024-01-01', NULL)
  FROM n;
  INSERT INTO cases ${numbers(120)} SELECT
    seq, 1 + seq MOD 2, CONCAT(ELT(1 + seq MOD 5, 'Printer', 'mail', 'Größe', 'ПРИНТЕР', 'Login'), ELT(1 + seq MOD 4, ' is slow', ' 100 %', '', ' ')),
    ELT(1 + seq MOD 3, 'open', 'waiting', 'solved'), IF(seq MOD 4 > 0, seq MOD 7 - 1, NULL),
    DATE_ADD('2024-02-28 00:00:00.000', INTERVAL seq * 3601013 * 1000 MICROSECOND), IF(seq MOD 3 > 0, DATE_ADD('2024-03-01', INTERVAL seq DAY), NULL),
    IF(seq MOD 5 > 0, seq * 1.25, NULL),
    IF(seq MOD 4 = 0, '{}', JSON_OBJECT('reporter', JSON_OBJECT('name', CONCAT('Caller ', seq MOD 9), 'phone', IF(seq MOD 2 = 0, CONCAT('+1 ', seq), NULL)))),
    ELT(1 + seq MOD 3, '[]', '["urgent"]', '["vip","later"]'),
    IF(seq MOD 6 > 0, CONCAT('00000000-0000-4000-8000-', LPAD(1 + (seq + seq DIV 2) MOD 24, 12, '0')), NULL), IF(seq MOD 13 = 0, '2024-05-05', NULL), 1
  FROM n;
  INSERT INTO case_watchers ${numbers(120)} SELECT seq, CONCAT('00000000-0000-4000-8000-', LPAD(1 + (seq + seq DIV 2) MOD 24, 12, '0')) FROM n WHERE seq MOD 5 > 0;
`
