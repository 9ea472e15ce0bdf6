import { buildServiceTable, type ServiceTableData } from '../../../spec/language/index.js'
import { type GeneratedFile, ownershipHeader } from '../../generated-file.js'
import { importList } from '../../text/file-scope.js'
import { dataLiteral, templateLiteral } from '../../text/literals.js'
import { renderTemplate } from '../../text/render-template.js'
import type { EmitContext } from '../emit-context.js'

/** What `templates/service-table.hbs` shows. */
export interface ServiceTableView {
  readonly header: string
  readonly imports: readonly string[]
  readonly docs: readonly string[]
  readonly tableType: string
  /** The runtime's function that reads the text. */
  readonly read: string
  readonly text: string
}

/**
 * `service-table.ts`: the service as the server core runs it. It is text, not a literal: to hold a literal of many
 * thousand lines to its type took the compiler longer than all the rest of the generated code.
 */
export function emitServiceTable({ service, importPath }: EmitContext): GeneratedFile {
  const imports = importList(['serviceTable'])
  const read = imports.value('readServiceTable', importPath('server/index.js'))
  const tableType = imports.type('ServiceTable', importPath('server/index.js'))
  const view: ServiceTableView = {
    header: ownershipHeader(service.name),
    imports: imports.lines(),
    docs: [`${service.title} as the server core runs it: types, query options, routes and errors of the spec.`],
    tableType,
    read,
    text: templateLiteral(serviceTableText(buildServiceTable(service))),
  }
  return { path: 'service-table.ts', text: renderTemplate('service-table', view), kind: 'generated' }
}

/**
 * The table as JSON for `readServiceTable` of the runtime. Query options that routes share stand once, under the name of
 * the first of these routes.
 */
export function serviceTableText({ routes, ...table }: ServiceTableData): string {
  const names = new Map<unknown, string>()
  for (const { name, query } of routes) if (query !== undefined && !names.has(query)) names.set(query, name)
  return dataLiteral({
    ...table,
    queries: Object.fromEntries([...names].map(([query, name]) => [name, query])),
    routes: routes.map(route => ({ ...route, query: names.get(route.query) })),
  })
}
