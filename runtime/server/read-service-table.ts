import type { Capabilities } from '../query/capabilities/capabilities.js'
import type { Route, ServiceTable } from './service-table.js'

/** A service table as text holds it: query options stand once, by name, however many routes share them. */
interface WrittenTable extends Omit<ServiceTable, 'routes'> {
  readonly queries: Readonly<Record<string, Capabilities>>
  readonly routes: readonly WrittenRoute[]
}

interface WrittenRoute extends Omit<Route, 'query'> {
  readonly query?: string
}

/**
 * Reads the service table that the generator wrote, as JSON: compilers and engines take that in a fraction of the time
 * that a literal of the same size takes them. Throws a `TypeError` when a route names query options that the text lacks.
 */
export function readServiceTable(text: string): ServiceTable {
  const { queries, routes, ...table }: WrittenTable = JSON.parse(text)
  const named = new Map(Object.entries(queries))
  const queryOf = (route: string, name: string): Capabilities => {
    const query = named.get(name)
    if (query === undefined) throw new TypeError(`${route} names the query options of ${name}, which the table lacks.`)
    return query
  }
  return {
    ...table,
    routes: routes.map(({ query, ...route }) =>
      query === undefined ? route : { ...route, query: queryOf(route.name, query) },
    ),
  }
}
