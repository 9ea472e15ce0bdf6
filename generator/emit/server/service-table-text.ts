import type { ServiceTableData } from '../../../spec/language/table/table-data.js'
import { jsonText } from '../../text/json-text.js'

/**
 * The table as JSON for `readServiceTable` of the runtime. Query options that routes share stand once, under the name of
 * the first of these routes.
 */
export function serviceTableText({ routes, ...table }: ServiceTableData): string {
  const names = new Map<unknown, string>()
  for (const { name, query } of routes) if (query !== undefined && !names.has(query)) names.set(query, name)
  return jsonText({
    ...table,
    queries: Object.fromEntries([...names].map(([query, name]) => [name, query])),
    routes: routes.map(route => ({ ...route, query: names.get(route.query) })),
  })
}
