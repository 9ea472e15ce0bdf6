import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EngineName, type StoreMaker, storeMaker } from '../testing/engines.js'
import { type ListenedService, listenedService } from '../testing/listened-service.js'

describe.each<EngineName>(['sqlite', 'postgres'])('on %s', engine => {
  let maker: StoreMaker
  let services: Readonly<Record<'directory' | 'library', ListenedService>>

  beforeAll(async () => {
    maker = await storeMaker(engine)
    services = {
      directory: await listenedService('directory', 'mira', await maker.make()),
      library: await listenedService('library', 'nobody', await maker.make()),
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
    const statements: string[] = []
    await services[service].ask(path, ({ sql }) => void statements.push(sql))
    expect(statements.length, statements.join('\n')).toBe(count)
  })

  it('a page that a link leads to takes one statement, too', async () => {
    const { ask } = services.directory
    const statements: string[] = []
    const next = await ask('/users?$top=5&$orderby=displayName', () => undefined)
    await ask(next ?? '', ({ sql }) => void statements.push(sql))
    expect(statements.length, statements.join('\n')).toBe(1)
  })
})
