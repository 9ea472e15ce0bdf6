import { createServer } from 'node:http'
import { PrismaPg } from '@prisma/adapter-pg'
import { toNodeListener } from './api/runtime/server.js'
import { PrismaClient } from './generated/client.js'
import { deskService } from './service.js'

const connectionString = process.env['DATABASE_URL'] ?? 'postgres://localhost/desk'
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }) })
const port = Number(process.env['PORT'] ?? 8080)
createServer(toNodeListener(deskService(prisma))).listen(port, () =>
  console.log(`Help desk at http://localhost:${port}/v1.0`),
)
