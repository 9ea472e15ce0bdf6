import { createServer } from 'node:http'
import { drizzle } from 'drizzle-orm/node-postgres'
import { toNodeListener } from './api/runtime/server.js'
import { deskService } from './service.js'

const db = drizzle(process.env['DATABASE_URL'] ?? 'postgres://localhost/desk')
const port = Number(process.env['PORT'] ?? 8080)
createServer(toNodeListener(deskService(db))).listen(port, () =>
  console.log(`Help desk at http://localhost:${port}/v1.0`),
)
