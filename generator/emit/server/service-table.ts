import { buildServiceTable, type ServiceTableData } from '../../../spec/language/index.js'
import type { GeneratedFile } from '../../generated-file.js'
import { scope } from '../../text/file-scope.js'
import { renderTemplate } from '../../text/render-template.js'
import { codeFile, type EmitContext } from '../emit-context.js'

/** `service-table.ts`: the service as the server core runs it. */
export function emitServiceTable(context: EmitContext): GeneratedFile {
  const { service, names } = context
  const view = {
    docs: [`${service.title} as the server core runs it: types, query options, routes and errors of the spec.`],
    table: {
      ...compactTable(buildServiceTable(service)),
      ...(names.exactNumbers === 'string' ? { numbers: 'string' } : {}),
    },
  }
  const file = codeFile(context, 'server', scope(['serviceTable']))
  return { path: 'service-table.ts', text: renderTemplate('service-table', view, file), kind: 'generated' }
}

/**
 * The table that `readServiceTable` of the runtime reads. Query options that several routes share are written once, under the
 * name of the first of these routes. Routes are members by name, not items of a list: the compiler would compare the types of
 * all items with each other, and fails at a few thousand.
 */
export function compactTable({ routes, ...table }: ServiceTableData) {
  const names = new Map<unknown, string>()
  for (const { name, query } of routes) if (query !== undefined && !names.has(query)) names.set(query, name)
  return {
    ...table,
    queries: Object.fromEntries([...names].map(([query, name]) => [name, query])),
    routes: Object.fromEntries(
      routes.map(({ name, query, ...route }) => [name, { ...route, query: names.get(query) }]),
    ),
  }
}
