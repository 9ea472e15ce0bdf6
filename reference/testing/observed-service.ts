import { expect } from 'vitest'
import {
  asynchronous,
  batches,
  createService,
  propertyTargets,
  type Service,
  transformations,
} from '../../runtime/server/index.js'
import type { PlaceholderValues, Session, Statement } from '../../sql/dialects/dialect.js'
import { readData } from '../data/read-data.js'
import { tokenSigner } from '../handlers/continuation-token.js'
import { genericHandlers } from '../handlers/generic-handlers.js'
import type { Engine } from '../store/engines/engine.js'
import { openStore } from '../store/open-store.js'
import type { Store } from '../store/store.js'
import { loadRecords } from '../store/write/load-records.js'

/** Called before each statement runs. */
type StatementListener = (statement: Statement, values: PlaceholderValues, session: Session) => Promise<void> | void

/** A described service with its data, whose statements can be observed. */
export interface ObservedService {
  /** Sends a request and returns the link to the next page. */
  readonly request: (path: string, listener: StatementListener) => Promise<string | undefined>
  readonly close: () => Promise<void>
}

function listening(engine: Engine, listener: StatementListener): Engine {
  const listen = (session: Session): Session => ({
    all: async (statement, values = {}) => {
      await listener(statement, values, session)
      return session.all(statement, values)
    },
    run: async (statement, values = {}) => {
      await listener(statement, values, session)
      return session.run(statement, values)
    },
  })
  return {
    ...engine,
    read: work => engine.read(session => work(listen(session))),
    write: work => engine.write(session => work(listen(session))),
  }
}

/** Opens a packaged service on an empty store, for one caller with all scopes. */
export async function observedService(name: string, principal: string, address: string): Promise<ObservedService> {
  const opened = await openStore({ spec: `spec/${name}.yaml`, store: address })
  await loadRecords(opened, readData(`spec/${name}.data.yaml`, opened.service))
  let listener: StatementListener = () => undefined
  const store: Store = { ...opened, engine: listening(opened.engine, (...args) => listener(...args)) }
  const scopes = store.service.authentication.scopes.map(scope => scope.name)
  const service: Service = createService(
    store.table,
    genericHandlers({ store, signer: tokenSigner(store.identity) }),
    { authenticate: () => ({ id: principal, scopes }) },
    { asynchronous, batches, propertyTargets, transformations },
  )
  return {
    request: async (path, observe) => {
      listener = observe
      const url = path.startsWith('http') ? path : `http://service.test/${store.table.version}${path}`
      const response = await service(new Request(url, { headers: { ConsistencyLevel: 'eventual' } }))
      const text = await response.text()
      expect(response.status, text).toBe(200)
      const [, next] = /"@odata.nextLink":"([^"]*)"/.exec(text) ?? []
      return next
    },
    close: () => opened.engine.close(),
  }
}
