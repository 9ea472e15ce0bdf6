import { buildServiceTable } from '../../../spec/language/service-table.js'
import type { GeneratedFile } from '../../generated-file.js'
import { valueIdentifier } from '../../names/identifier.js'
import { ownershipHeader } from '../../ownership.js'
import { renderTemplate } from '../../templates/render-template.js'
import { importList } from '../../text/import-list.js'
import { scope } from '../../text/scope.js'
import { valueLiteral } from '../../text/value-literal.js'
import type { EmitContext } from '../emit-context.js'

/** What `templates/service-table.hbs` shows. */
export interface ServiceTableView {
  readonly header: string
  readonly imports: readonly string[]
  /** Query options, each once however many routes share them, and routes of which there are many. */
  readonly constants: readonly { readonly name: string; readonly type: string; readonly value: string }[]
  readonly docs: readonly string[]
  readonly tableType: string
  readonly table: string
}

/** A compiler compares each item of a literal with each other: longer lists of routes are written in parts. */
const mostRoutes = 100

/** `service-table.ts`: the service as the server core runs it. */
export function emitServiceTable({ service, runtime }: EmitContext): GeneratedFile {
  const table = buildServiceTable(service)
  const declared = scope(['serviceTable', 'undefined'])
  const names = new Map<unknown, string>()
  for (const { name, query } of table.routes) {
    if (query === undefined || names.has(query)) continue
    names.set(query, declared.claim(valueIdentifier(`${name.replaceAll('.', '-')}-query`), '_'))
  }
  const imports = importList(declared.taken)
  const constant = (name: string, type: string, content: unknown, known?: ReadonlyMap<unknown, string>) => ({
    name,
    type,
    value: valueLiteral(content, 0, `const ${name}: ${type} = `.length, known),
  })
  const capabilitiesType =
    names.size === 0 ? '' : imports.type('Capabilities', `${runtime}/query/capabilities/capabilities.js`)
  const capabilities = [...names].map(([query, name]) => constant(name, capabilitiesType, query))
  const parts = partsOf(table.routes).map((part, index) => ({ part, name: declared.claim(`routes${index + 1}`, '_') }))
  const routesType =
    parts.length === 0 ? '' : `readonly ${imports.type('Route', `${runtime}/server/service-table.js`)}[]`
  const routes = parts.map(({ part, name }) => constant(name, routesType, part, names))
  if (parts.length > 0) names.set(table.routes, `[\n${parts.map(({ name }) => `    ...${name},\n`).join('')}  ]`)
  const tableType = imports.type('ServiceTable', `${runtime}/server/service-table.js`)
  const view: ServiceTableView = {
    header: ownershipHeader(service.name),
    imports: imports.lines(),
    constants: [...capabilities, ...routes],
    docs: [`${service.title} as the server core runs it: types, routes, query options and errors of the spec.`],
    tableType,
    table: valueLiteral(table, 0, `export const serviceTable: ${tableType} = `.length, names),
  }
  return { path: 'service-table.ts', text: renderTemplate('service-table', view), kind: 'generated' }
}

/** Routes in parts of a size that compilers like; none when they are few. */
function partsOf<Route>(routes: readonly Route[]): readonly (readonly Route[])[] {
  if (routes.length <= mostRoutes) return []
  const count = Math.ceil(routes.length / mostRoutes)
  return Array.from({ length: count }, (_, index) => routes.slice(index * mostRoutes, (index + 1) * mostRoutes))
}
