import { createServer } from 'node:http'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { toNodeListener } from './api/runtime/server.js'
import type { Database } from './database.js'
import { deskService } from './service.js'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] })
const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
const port = Number(process.env['PORT'] ?? 8080)
createServer(toNodeListener(deskService(db))).listen(port, () =>
  console.log(`Help desk at http://localhost:${port}/v1.0`),
)
