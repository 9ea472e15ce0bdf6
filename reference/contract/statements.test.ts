import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createService, type Service } from '../../runtime/server/index.js'
import { readData } from '../data/read-data.js'
import { genericHandlers } from '../handlers/generic-handlers.js'
import type { Engine, Session } from '../store/engine/engine.js'
import { openServiceStore } from '../store/open-service-store.js'
import { tokenSealer } from '../store/read/token.js'
import type { Store } from '../store/store.js'
import { loadRecords } from '../store/write/load-records.js'
import { type EngineName, type StoreMaker, storeMaker } from '../testing/engines.js'

/** The engine, telling of each statement that it runs. */
function listening(engine: Engine, heard: (sql: string) => void): Engine {
  const listen = (session: Session): Session => ({
    all: (statement, values) => {
      heard(statement.sql)
      return session.all(statement, values)
    },
    run: (statement, values) => {
      heard(statement.sql)
      return session.run(statement, values)
    },
  })
  return {
    ...engine,
    read: work => engine.read(session => work(listen(session))),
    write: work => engine.write(session => work(listen(session))),
  }
}

interface Mounted {
  /** The statements that answer a request, and the link to the next page. */
  readonly ask: (path: string) => Promise<{ readonly statements: readonly string[]; readonly next: string | undefined }>
  readonly close: () => Promise<void>
}

async function mount(name: string, principal: string, address: string): Promise<Mounted> {
  const opened = await openServiceStore({ spec: `spec/${name}.yaml`, store: address })
  await loadRecords(opened, readData(`spec/${name}.data.yaml`, opened.service))
  let heard: string[] = []
  const store: Store = { ...opened, engine: listening(opened.engine, sql => void heard.push(sql)) }
  const scopes = store.service.authentication.scopes.map(scope => scope.name)
  const service: Service = createService(store.table, genericHandlers({ store, sealer: tokenSealer(store.identity) }), {
    authenticate: () => ({ id: principal, scopes }),
  })
  return {
    ask: async path => {
      heard = []
      const url = path.startsWith('http') ? path : `http://service.test/${store.table.version}${path}`
      const response = await service(new Request(url, { headers: { ConsistencyLevel: 'eventual' } }))
      const text = await response.text()
      expect(response.status, text).toBe(200)
      const [, next] = /"@odata.nextLink":"([^"]*)"/.exec(text) ?? []
      return { statements: heard, next }
    },
    close: () => opened.engine.close(),
  }
}

describe.each<EngineName>(['sqlite', 'postgres'])('on %s', engine => {
  let maker: StoreMaker
  let services: Readonly<Record<'directory' | 'library', Mounted>>

  beforeAll(async () => {
    maker = await storeMaker(engine)
    services = {
      directory: await mount('directory', 'mira', await maker.make()),
      library: await mount('library', 'nobody', await maker.make()),
    }
  })
  afterAll(async () => {
    for (const { close } of Object.values(services)) await close()
    await maker.stop()
  })

  it.each<[service: 'directory' | 'library', path: string, count: number]>([
    ['directory', '/me', 1],
    ['directory', '/me/manager', 1],
    ['directory', '/me/messages/msg-01', 1],
    ['directory', '/me/messages/msg-01?$expand=attachments', 2],
    ['directory', '/me/messages?$top=1', 1],
    ['directory', '/me/messages?$top=50', 1],
    ['directory', '/me/messages?$top=50&$filter=isRead eq false&$orderby=receivedDateTime desc', 1],
    ['directory', '/me/messages?$top=50&$count=true', 2],
    ['directory', '/me/messages?$top=1&$expand=attachments', 2],
    ['directory', '/me/messages?$top=50&$expand=attachments', 2],
    ['directory', '/me/messages?$top=50&$expand=attachments,singleValueExtendedProperties', 3],
    ['directory', '/users?$top=50&$expand=manager,memberOf', 3],
    ['directory', '/users?$search="displayName:m"', 1],
    ['directory', '/users/$count', 1],
    ['directory', '/groups?$expand=members', 2],
    ['directory', '/drive/items/folder-root/children?$expand=thumbnails', 2],
    ['directory', "/me/reminderView(startDateTime='2000-01-01T00:00:00Z',endDateTime='2100-01-01T00:00:00Z')", 1],
    ['library', '/books?$expand=copies($expand=branch,loans)', 4],
    ['library', '/books?$top=1&$expand=copies($expand=branch,loans)', 4],
    ['library', '/books?$expand=copies($count=true;$top=1)', 3],
    ['library', '/books?$expand=authors($expand=books),reviews', 4],
    ['library', '/branches/MAIN/allSubBranches()', 1],
  ])('of the %s, %s takes %i statements, however many items there are', async (service, path, count) => {
    const { statements } = await services[service].ask(path)
    expect(statements.length, statements.join('\n')).toBe(count)
  })

  it('a page that a link leads to takes one statement, too', async () => {
    const { ask } = services.directory
    const { next } = await ask('/users?$top=5&$orderby=displayName')
    expect((await ask(next ?? '')).statements.length).toBe(1)
  })
})
