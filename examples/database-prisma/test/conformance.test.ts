import { fileURLToPath } from 'node:url'
import { PrismaPg } from '@prisma/adapter-pg'
import { runConformance } from 'specwright/conformance'
import { evaluate, parseFilter, parseOrderby, parseSearch } from 'specwright/query'
import { type PrismaMapping, prismaQueries } from 'specwright/sql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from '../src/api/runtime/server.js'
import { createDesk } from '../src/api/server.js'
import { serviceTable } from '../src/api/service-table.js'
import { PrismaClient } from '../src/generated/client.js'
import { type Caller, mapping } from '../src/mapping.js'
import { deskService, options } from '../src/service.js'
import { startDatabase } from './postgres.js'

async function get(service: Service, path: string): Promise<Record<string, unknown>> {
  const headers = { authorization: 'Bearer token-of-acme' }
  const response = await service(new Request(`http://desk.example/v1.0${path}`, { headers }))
  const body: unknown = await response.json()
  return { code: response.status, ...(typeof body === 'object' ? body : {}) }
}

describe('the help desk over its own tables with Prisma', () => {
  const statements: string[] = []
  let server: Awaited<ReturnType<typeof startDatabase>>
  let prisma: PrismaClient<'query'>
  let service: Service
  beforeAll(async () => {
    server = await startDatabase()
    const adapter = new PrismaPg({ connectionString: server.address })
    prisma = new PrismaClient({ adapter, log: [{ emit: 'event', level: 'query' }] })
    prisma.$on('query', ({ query }) => void statements.push(query))
    service = deskService(prisma)
  })
  afterAll(async () => {
    await prisma.$disconnect()
    await server.stop()
  })

  it.each(['token-of-acme', 'token-of-ajax'])('conforms to its spec for %s', async token => {
    const spec = fileURLToPath(new URL('../desk.yaml', import.meta.url))
    const { verdict, violations } = await runConformance({ spec, target: service, token, requests: 400, seed: 1 })
    expect(violations.map(({ rule, message, exchanges }) => [rule, message, exchanges.at(-1)?.curl])).toEqual([])
    expect(verdict).toBe('conforms')
  })

  async function itemsOf(path: string): Promise<readonly Record<string, unknown>[]> {
    const page = await get(service, path)
    expect([path, page['code'], page['error']]).toEqual([path, 200, undefined])
    const { value, '@odata.nextLink': next } = page
    const items = Array.isArray(value) ? value : []
    return typeof next === 'string' ? [...items, ...(await itemsOf(next.slice(next.indexOf('/v1.0') + 5)))] : items
  }

  it.each<[string, string, readonly string[]]>([
    [
      'tickets',
      '$expand=assignee,watchers',
      [
        'priority eq null',
        'priority ne null',
        'priority ne 3',
        'not (priority eq 3)',
        'not (priority lt 3)',
        'priority lt 3 or priority ge 3',
        'not (priority ge 2 and priority le 4)',
        '3 gt priority',
        'priority gt 2.5',
        'priority le 2.5',
        'priority eq 2.5',
        'not (priority eq 2.5)',
        'priority lt 3000000000',
        'priority gt -3e10',
        'priority in (1,null,5)',
        'not (priority in (1,5))',
        'priority in (2.5,null)',
        "subject in ('Mail fails','Login',null)",
        'not (openedAt in (2024-03-04T06:36:20.221Z))',
        "assignee/email in (null,'user1@desk.example')",
        "not (assignee/email in ('user1@desk.example'))",
        'priority lt null',
        'not (priority lt null)',
        "status gt 'open'",
        "status le 'waiting'",
        "status ne 'solved' and not (status eq 'open')",
        "contains(subject,'%')",
        "contains(subject,'_')",
        "contains(subject,'100 %')",
        "startswith(subject,'Gr')",
        "not startswith(subject,'Gr')",
        "endswith(subject,'again')",
        "contains(subject,'\\\\')",
        "contains(subject,'')",
        "contains(subject,'printer')",
        "subject lt 'Mail'",
        'estimate eq 12.5',
        'estimate gt 12.505',
        'not (estimate gt 1e2)',
        'estimate lt INF',
        'openedAt gt 2024-03-04T06:36:20.221Z',
        'openedAt gt 2024-03-04T06:36:20.2209Z',
        'openedAt eq 2024-03-04T06:36:20.2211Z',
        'openedAt ge 2024-03-04T07:36:20.221+01:00',
        'dueOn gt 2024-03-20',
        'dueOn ne 2024-03-20',
        'not (dueOn lt 2024-03-20)',
        'dueOn lt 12024-03-20',
        "labels/any(l:l eq 'vip')",
        "labels/all(l:l ne 'vip')",
        "not labels/any(l:l eq 'vip' or l eq 'urgent')",
        "labels/any(l:l in ('vip','later'))",
        'labels/any()',
        'not labels/any()',
        'assignee eq null',
        'assignee ne null',
        "assignee/name eq 'Fay 1'",
        "assignee/name ne 'Fay 1'",
        'assignee/email eq null',
        'not (assignee/email eq null)',
        "contains(assignee/email,'desk')",
        "not contains(assignee/email,'desk')",
        'assignee/active',
        'not assignee/active',
        'assignee/active eq false',
        'watchers/any()',
        'not watchers/any()',
        'watchers/any(w:w/active)',
        'watchers/all(w:w/active)',
        'not watchers/all(w:w/active)',
        'watchers/any(w:w/email eq null)',
        "watchers/all(w:contains(w/email,'user'))",
        "not watchers/any(w:contains(w/email,'user'))",
        "watchers/any(w:startswith(w/name,'A') or not startswith(w/name,'B'))",
        'true',
        'not (1 eq 2)',
      ],
    ],
    [
      'agents',
      '$expand=tickets($expand=watchers,assignee)',
      [
        'email eq null',
        'email ne null',
        "email ne 'user1@desk.example'",
        "not (email gt 'user2@desk.example')",
        "not contains(email,'1')",
        'tickets/any(t:t/priority gt 3)',
        'tickets/all(t:t/priority gt 0)',
        'tickets/any(t:t/watchers/any(w:w/active))',
        'tickets/all(t:t/watchers/any(w:not w/active))',
        'tickets/any(t:t/assignee eq null)',
      ],
    ],
  ])('finds the same %s as the evaluator', async (set, expand, filters) => {
    const { types } = serviceTable
    const type = set.slice(0, -1)
    const rows = await itemsOf(`/${set}?${expand}`)
    expect(rows.length).toBeGreaterThan(8)
    const at = (index: number): string => filters[index % filters.length] ?? 'true'
    const combined = filters.map(
      (one, index) => `not ((${one}) and not ((${at(index * 7 + 3)}) or not (${at(index * 11 + 5)})))`,
    )
    for (const filter of [...filters, ...combined]) {
      const found = await itemsOf(`/${set}?$select=id&$filter=${encodeURIComponent(filter)}`)
      const expected = rows.filter(row => evaluate(parseFilter(filter), row, { types, type }) === true)
      expect([filter, found.map(({ id }) => id)]).toEqual([filter, expected.map(({ id }) => id)])
    }
  })

  it.each([
    'watchers/$count gt 1',
    'watchers/any(w:w/id eq assignee/id)',
    'id eq priority',
    'length(subject) gt 3',
    "tolower(subject) eq 'mail'",
    'id add 1 eq 2',
    "reporter/name eq 'Caller 1'",
    'reporter eq null',
    "labels/any(l:startswith(l,'v'))",
  ])('refuses the filter %s', async filter => {
    expect((await get(serviceWith({ filter: parseFilter(filter) }), '/tickets'))['code']).toBe(501)
  })

  it.each(['status', 'assignee/name', 'watchers/$count', 'length(subject)'])('refuses the order %s', async order => {
    expect((await get(serviceWith({ orderby: parseOrderby(order) }), '/tickets'))['code']).toBe(501)
  })

  it('refuses a search', async () => {
    expect((await get(serviceWith({ search: parseSearch('mail') }), '/tickets'))['code']).toBe(501)
  })

  /** A service that reads tickets with other options than those of the request. */
  function serviceWith(query: object): Service {
    const { collection } = prismaQueries(serviceTable, mapping, { provider: 'postgresql' })
    return createDesk<Caller>({ tickets: { list: call => collection(prisma, { ...call, query }) } }, options)
  }

  it('orders nulls first, and continues after them on the next page', async () => {
    for (const order of ['priority', 'priority desc', 'dueOn desc,subject', 'estimate,openedAt desc']) {
      const all = await itemsOf(`/tickets?$orderby=${order}`)
      const values = all.map(row => row[order.split(/[ ,]/)[0] ?? ''])
      const sorted = [...values].sort((a, b) => compared(a, b) * (/^\w+ desc/.test(order) ? -1 : 1))
      expect([order, values]).toEqual([order, sorted])
      expect(new Set(all.map(({ id }) => id)).size).toBe(
        await prisma.case.count({ where: { company: 1, deletedAt: null } }),
      )
    }
  })

  function compared(a: unknown, b: unknown): number {
    if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
    return typeof a === 'number' ? a - Number(b) : String(a) < String(b) ? -1 : a === b ? 0 : 1
  }

  it('shows no item that is deleted or belongs to another company, also behind a relation', async () => {
    const staff = await prisma.staff.findMany({ where: { company: 1, leftAt: null } })
    const ids = new Set(staff.map(({ id }) => id))
    const tickets = await itemsOf('/tickets?$expand=watchers,assignee&$top=50')
    const shown = tickets.flatMap(({ watchers, assignee }) => [
      ...(Array.isArray(watchers) ? watchers : []),
      ...(assignee === null ? [] : [assignee]),
    ])
    expect(shown.length).toBeGreaterThan(50)
    expect(shown.filter(({ id }) => !ids.has(id))).toEqual([])
    const hidden = await prisma.case.findMany({ where: { company: 1, deletedAt: null, owner: { company: 2 } } })
    expect(hidden.length).toBeGreaterThan(0)
    for (const { id } of hidden)
      expect(await get(service, `/tickets/${id}?$expand=assignee`)).toMatchObject({ assignee: null })
    expect((await get(service, '/tickets/13'))['code']).toBe(404)
    expect((await get(service, '/agents/00000000-0000-4000-8000-000000000000/tickets'))['code']).toBe(404)
  })

  it('takes as many statements for many items as for one', async () => {
    const [one, many] = [1, 30]
    const counts: number[] = []
    for (const top of [one, many]) {
      statements.length = 0
      await get(
        service,
        `/tickets?$filter=watchers/any() and assignee ne null&$expand=watchers($expand=tickets),assignee&$top=${top}`,
      )
      counts.push(statements.length)
    }
    expect(counts[1]).toBe(counts[0])
  })

  it('limits the items further with a condition, also in a transaction', async () => {
    const { collection } = prismaQueries(serviceTable, mapping, { provider: 'postgresql' })
    const where = { state: 'open', urgency: { gt: 1 } }
    const list = (call: object) => prisma.$transaction(transaction => collection(transaction, call, { where }))
    const all = await get(service, "/tickets?$filter=status eq 'open' and priority gt 1&$top=50&$select=id")
    expect(await get(createDesk<Caller>({ tickets: { list } }, options), '/tickets?$top=50&$select=id')).toEqual(all)
  })

  it.each<[string, Partial<PrismaMapping<Caller>['models'][string]>, string]>([
    ['an unknown property', { fields: { gone: 'title' } }, "The mapping of 'ticket' names 'gone'."],
    ['an unknown relation', { relations: { gone: 'owner' } }, "the relation 'gone', which the type does not have"],
    ['no field for a value', { fields: { subject: null } }, "'ticket/subject' cannot be null"],
  ])('refuses a mapping with %s', (_what, changed, message) => {
    const { ticket, agent } = mapping.models
    if (ticket === undefined || agent === undefined) throw new Error('The mapping lost its models.')
    const wrong = { models: { ticket: { ...ticket, ...changed }, agent } }
    expect(() => prismaQueries(serviceTable, wrong, { provider: 'postgresql' })).toThrow(message)
  })
})
