import { afterAll, assert, beforeAll, describe, expect, it } from 'vitest'
import { openService, type TestedService } from '../../../reference/testing/test-service.js'
import { loadSpecText } from '../../../spec/language/index.js'
import { nextLinkOptions } from './related-scopes.js'

const scopes = ['People', 'Bosses', 'Staff', 'Notes', 'Teams', 'Rooms'] as const

const text = `
specwright: 1
service: { name: office, version: v1 }
authentication: { scheme: bearer, missing: unauthenticated, insufficient: forbidden, scopes: { ${scopes.map(name => `${name}: ${name}`).join(', ')} } }
resources:
  person:
    kind: entityType
    key: [id]
    properties: { id: { type: String }, name: { type: String } }
    navigation:
      boss: { to: person, nullable: true }
      staff: { to: person, collection: true }
      notes: { to: note, collection: true, contained: true }
      papers: { to: note, collection: true, contained: true }
      team: { to: team, nullable: true }
      room: { to: room, nullable: true }
      desk: { to: room, nullable: true }
  note: { kind: entityType, key: [id], properties: { id: { type: String } } }
  team: { kind: entityType, key: [id], properties: { id: { type: String } }, navigation: { lead: { to: person, nullable: true } } }
  room: { kind: entityType, key: [id], properties: { id: { type: String } } }
container:
  people: { entitySet: person, bindings: { boss: people, staff: people, team: teams, room: rooms, desk: rooms } }
  teams: { entitySet: team, bindings: { lead: people } }
  rooms: { entitySet: room }
  me: { singleton: person, bound: principal, bindings: { boss: people, staff: people, team: teams, room: rooms, desk: rooms } }
queryOptions:
  people:
    select: true
    expand: { maxDepth: 2, nested: [expand, filter], scopes: { desk: [], team/lead: [Bosses] } }
    filter: { properties: { boss: true, staff: true, room: true }, lambdas: [any] }
    orderby: { properties: { boss/name: true, staff/$count: true } }
paths:
  /me: { get: { returns: item, query: people, scopes: [People] } }
  /me/boss: { get: { returns: item, scopes: [Bosses] } }
  /me/notes: { get: { returns: collection, scopes: [Notes] } }
  /people: { get: { returns: collection, query: people, scopes: [People] } }
  /people/{id}: { get: { returns: item, query: people, scopes: [People] } }
  /people/{id}/staff: { get: { returns: collection, scopes: [Staff] } }
  /teams: { get: { returns: collection, scopes: [Teams] } }
  /rooms/{id}: { get: { returns: item, scopes: [Rooms] } }
errors:
  unauthenticated: { status: 401, code: unauthenticated, message: Sign in. }
  forbidden: { status: 403, code: forbidden, message: "Missing a scope of {scopes}." }
`

/** The query, and the scope that it needs besides People; undefined: none. */
const cases: readonly (readonly [path: string, scope: (typeof scopes)[number] | undefined])[] = [
  // The path that shows the related items.
  ['/me?$expand=boss', 'Bosses'],
  ['/me?$expand=notes', 'Notes'],
  ["/people('a')?$expand=staff", 'Staff'],
  ['/people?$expand=staff', 'Staff'],
  // Another path with the same relation.
  ['/people?$expand=boss', 'Bosses'],
  ['/me?$expand=staff', 'Staff'],
  ["/people('a')?$expand=notes", 'Notes'],
  // The entity set.
  ['/me?$expand=team', 'Teams'],
  ['/me?$expand=room', 'Rooms'],
  // Contained items without a path.
  ['/me?$expand=papers', undefined],
  // What the spec declares.
  ['/me?$expand=desk', undefined],
  // Inside other options.
  ['/people?$expand=desk,boss', 'Bosses'],
  ['/people?$filter=room/id eq null', 'Rooms'],
  ["/people?$filter=staff/any(s:s/name eq 'a')", 'Staff'],
  ["/people?$filter=@p&@p=boss/name eq 'a'", 'Bosses'],
  ['/people?$orderby=boss/name', 'Bosses'],
  ['/people?$orderby=staff/$count', 'Staff'],
  ['/people?$select=name', undefined],
]

describe('a query that reads related items', () => {
  let service: TestedService
  let granted: readonly string[] = []
  beforeAll(async () => {
    const { service: described, diagnostics } = loadSpecText(text, 'office.yaml')
    assert(described !== undefined, JSON.stringify(diagnostics))
    const caller = {
      id: 'a',
      get scopes() {
        return granted
      },
    }
    const records = [{ type: 'person', properties: { id: 'a', name: 'A' } }]
    service = await openService(described, 'sqlite::memory:', records, caller)
  })
  afterAll(async () => await service?.reference.close())

  const statusOf = async (path: string, ...given: readonly string[]): Promise<number> => {
    granted = ['People', ...given]
    return (await service.request(path)).status
  }

  it.each(cases)('%s needs the scope %s', async (path, scope) => {
    const others = scopes.filter(name => name !== scope)
    if (scope !== undefined) expect(await statusOf(path, ...others)).toBe(403)
    expect(await statusOf(path, ...(scope === undefined ? [] : [scope]))).toBe(200)
  })

  it('needs the scopes of all relations, at each depth', async () => {
    const path = '/me?$expand=boss($expand=staff),team($expand=lead)'
    expect(await statusOf(path, 'Bosses', 'Staff')).toBe(403)
    expect(await statusOf(path, 'Bosses', 'Teams')).toBe(403)
    expect(await statusOf(path, 'Bosses', 'Staff', 'Teams')).toBe(200)
  })

  it.each(['/me?$expand=*', '/me?$expand=boss($expand=*)'])(
    'needs the scopes of all that %s stands for',
    async path => {
      const all = ['Bosses', 'Staff', 'Notes', 'Teams', 'Rooms']
      for (const missing of all)
        expect(await statusOf(path, ...all.filter(name => name !== missing)), missing).toBe(403)
      expect(await statusOf(path, ...all)).toBe(200)
    },
  )

  it('names the missing scope', async () => {
    granted = ['People']
    const { json, headers } = await service.request('/me?$expand=boss')
    expect(json).toMatchObject({ error: { code: 'forbidden', message: 'Missing a scope of Bosses.' } })
    expect(headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="Bosses"')
  })
})

it.each([
  ['', ''],
  ["$filter=a eq '%26'&$top=5&custom=x", "$filter=a eq '%26'&$top=5&custom=x"],
  ['$skip=1&$top=5', '$top=5'],
  ['%24SKIP=1&%24top=5', '%24top=5'],
  ['skiptoken=x&&$deltatoken=y&SkipToken&a=$skip', 'a=$skip'],
  ['$%73kip=1&b', 'b'],
  ['skipper=1', 'skipper=1'],
])('the next link of %s repeats %s', (query, expected) => {
  expect(nextLinkOptions(query)).toBe(expected)
})
