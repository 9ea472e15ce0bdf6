import type { Kysely } from 'kysely'
import { kyselyQueries } from 'specwright/sql'
import type { SecuredServiceOptions, Service } from './api/runtime/server.js'
import { createDesk } from './api/server.js'
import { serviceTable } from './api/service-table.js'
import type { Database } from './database.js'
import { type Caller, mappingFor } from './tables.js'

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
export function deskService(db: Kysely<Database>, dialect: 'postgres' | 'sqlite' = 'postgres'): Service {
  const { collection, item, count } = kyselyQueries(serviceTable, mappingFor(dialect), { dialect })
  return createDesk<Caller>(
    {
      tickets: {
        list: call => collection(db.selectFrom('crm.cases'), call),
        get: call => item(db.selectFrom('crm.cases'), call),
        count: call => count(db.selectFrom('crm.cases'), call),
        watchers: { list: call => collection(db.selectFrom('crm.staff'), call) },
      },
      agents: {
        list: call => collection(db.selectFrom('crm.staff'), call),
        get: call => item(db.selectFrom('crm.staff'), call),
        tickets: { list: call => collection(db.selectFrom('crm.cases'), call) },
      },
    },
    options,
  )
}
