import { prismaQueries } from 'specwright/sql'
import type { SecuredServiceOptions, Service } from './api/runtime/server.js'
import { createDesk } from './api/server.js'
import { serviceTable } from './api/service-table.js'
import type { PrismaClient } from './generated/client.js'
import { type Caller, mapping } from './mapping.js'

/** The callers by their tokens. */
const callers: Readonly<Record<string, Caller>> = { 'token-of-acme': { company: 1 }, 'token-of-ajax': { company: 2 } }

type Options = SecuredServiceOptions<Caller>

/** Who calls, and for which company. */
export const options: Options & Required<Pick<Options, 'context'>> = {
  authenticate: ({ headers }) => {
    const token = headers.get('authorization')?.replace('Bearer ', '') ?? ''
    return Object.hasOwn(callers, token) ? { id: token, scopes: ['Desk.Read'] } : undefined
  },
  context: (_request, { id }) => callers[id] ?? { company: 0 },
  onError: error => console.error(error),
}

/** The help desk over the tables of a database. */
export function deskService(prisma: PrismaClient): Service {
  const { collection, item, count } = prismaQueries(serviceTable, mapping, { provider: 'postgresql' })
  return createDesk<Caller>(
    {
      tickets: {
        list: call => collection(prisma, call),
        get: call => item(prisma, call),
        count: call => count(prisma, call),
        watchers: { list: call => collection(prisma, call) },
      },
      agents: {
        list: call => collection(prisma, call),
        get: call => item(prisma, call),
        tickets: { list: call => collection(prisma, call) },
      },
    },
    options,
  )
}
