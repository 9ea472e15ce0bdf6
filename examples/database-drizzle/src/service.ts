import { sql } from 'drizzle-orm'
import { type DrizzleDatabase, drizzleQueries } from 'specwright/sql'
import type { SecuredServiceOptions, Service } from './api/runtime/server.js'
import { createDesk } from './api/server.js'
import { serviceTable } from './api/service-table.js'
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
export function deskService(db: DrizzleDatabase): Service {
  const { collection, item, count } = drizzleQueries(serviceTable, mapping, { dialect: 'postgres', sql })
  return createDesk<Caller>(
    {
      tickets: {
        list: call => collection(db, call),
        get: call => item(db, call),
        count: call => count(db, call),
        watchers: { list: call => collection(db, call) },
      },
      agents: {
        list: call => collection(db, call),
        get: call => item(db, call),
        tickets: { list: call => collection(db, call) },
      },
    },
    options,
  )
}
