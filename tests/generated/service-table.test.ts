import { describe, expect, it } from 'vitest'
import { transformations } from '../../runtime/query/index.js'
import { asynchronous } from '../../runtime/server/asynchronous.js'
import { batches } from '../../runtime/server/batch/batch-route.js'
import { createService } from '../../runtime/server/create-service.js'
import { propertyTargets } from '../../runtime/server/property-paths/index.js'
import type { Route, ServiceTable } from '../../runtime/server/service-table.js'
import { loadSpec, type Service } from '../../spec/language/index.js'
import { buildServiceTable } from '../../spec/language/table/service-table.js'

const specs = ['directory', 'library'] as const

async function serviceOf(spec: (typeof specs)[number]): Promise<Service> {
  const { service, diagnostics } = await loadSpec(new URL(`../../spec/${spec}.yaml`, import.meta.url).pathname)
  if (service === undefined) throw new Error(JSON.stringify(diagnostics))
  return service
}

/** A value for a key of each type, as a path segment. */
const keyTexts: Readonly<Record<string, string>> = {
  'Edm.Guid': '184efa21-98c3-4e5d-95ab-d07053a96e67',
  'Edm.Int16': '7',
  'Edm.Int32': '7',
  'Edm.Int64': '7',
}

/** A path of a route: keys as segments, operations without arguments. */
function pathOf(route: Route, table: ServiceTable): string {
  const segments = route.segments.map(segment => {
    if (segment.kind === 'count') return '$count'
    if (segment.kind === 'delta') return 'delta'
    if (!('keys' in segment)) return segment.name
    return segment.keys.map(key => keyTexts[key.type] ?? '9780000000000').join('/')
  })
  return `/${table.version}/${segments.join('/')}`
}

describe.each(specs)('the service table of %s', spec => {
  it('is accepted by the server core, and is plain JSON', async () => {
    const table: ServiceTable = buildServiceTable(await serviceOf(spec))
    expect(table.routes.length).toBeGreaterThan(20)
    expect(JSON.parse(JSON.stringify(table))).toEqual(table)
  })

  it('has a route for each endpoint, in the same order', async () => {
    const service = await serviceOf(spec)
    const table = buildServiceTable(service)
    expect(table.routes.map(route => [route.name, route.method, route.path])).toEqual(
      service.endpoints.map(endpoint => [endpoint.name, endpoint.method, endpoint.path.template]),
    )
    expect(new Set(table.routes.map(route => route.name)).size).toBe(table.routes.length)
  })

  it('routes the path of each endpoint to its handler, or rejects only the body', async () => {
    const table: ServiceTable = buildServiceTable(await serviceOf(spec))
    const asked: string[] = []
    const service = createService(
      table,
      route => call => {
        asked.push(route.name)
        return call.fail('itemNotFound')
      },
      { authenticate: () => ({ id: 'x', scopes: table.routes.flatMap(route => route.scopes) }) },
      { asynchronous, batches, propertyTargets, transformations },
    )
    for (const route of table.routes) {
      const response = await service(new Request(`http://x${pathOf(route, table)}`, { method: route.method }))
      expect([route.name, [404, 405, 501].includes(response.status) && !asked.includes(route.name)]).toEqual([
        route.name,
        false,
      ])
    }
    expect(asked).toContain(spec === 'directory' ? 'me.messages.get' : 'books.get')
  })

  it('names only its own errors, preferences and types', async () => {
    const table = buildServiceTable(await serviceOf(spec))
    const names = {
      errors: table.routes.flatMap(route => [
        ...route.errors,
        ...(route.query?.requires.map(condition => condition.otherwise) ?? []),
      ]),
      preferences: table.routes.flatMap(route => route.preferences),
      types: table.routes.flatMap(route => (route.type === undefined ? [] : [route.type])),
    }
    for (const error of names.errors) expect(table.errors).toHaveProperty(error)
    for (const preference of names.preferences) expect(table.preferences).toHaveProperty(preference)
    for (const type of names.types) expect(table.types).toHaveProperty(type)
  })
})

it('requires a header that depends on an open choice only if the service made that choice', async () => {
  const table = buildServiceTable(await serviceOf('directory'))
  const whenOf = (name: string): unknown =>
    table.routes.find(route => route.name === name)?.query?.requires.flatMap(condition => condition.when)
  expect(whenOf('users.list')).not.toContainEqual(['count'])
  expect(whenOf('users.count')).toContainEqual(['countPath'])
})
