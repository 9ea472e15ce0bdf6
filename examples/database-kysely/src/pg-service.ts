import { type PgClient, pgQueries } from 'specwright/sql'
import type { Service } from './api/runtime/server.js'
import { createDesk } from './api/server.js'
import { serviceTable } from './api/service-table.js'
import { options } from './service.js'
import { type Caller, mappingFor } from './tables.js'

/** The same service with the package `pg` alone. */
export function pgDeskService(pool: PgClient): Service {
  const { collection, item, count } = pgQueries(serviceTable, mappingFor('postgres'))
  return createDesk<Caller>(
    {
      tickets: {
        list: call => collection(pool, call),
        get: call => item(pool, call),
        count: call => count(pool, call),
        watchers: { list: call => collection(pool, call) },
      },
      agents: {
        list: call => collection(pool, call),
        get: call => item(pool, call),
        tickets: { list: call => collection(pool, call) },
      },
    },
    options,
  )
}
