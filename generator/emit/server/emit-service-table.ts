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
  readonly capabilitiesType: string
  /** Query options, each once however many routes share them. */
  readonly capabilities: readonly { readonly name: string; readonly value: string }[]
  readonly docs: readonly string[]
  readonly tableType: string
  readonly table: string
}

/** `service-table.ts`: the service as the server core runs it. */
export function emitServiceTable({ service, runtime }: EmitContext): GeneratedFile {
  const table = buildServiceTable(service)
  const declared = scope(['serviceTable', 'undefined'])
  const constants = new Map<unknown, string>()
  for (const { name, query } of table.routes) {
    if (query === undefined || constants.has(query)) continue
    constants.set(query, declared.claim(valueIdentifier(`${name.replaceAll('.', '-')}-query`), '_'))
  }
  const imports = importList(declared.taken)
  const capabilitiesType =
    constants.size === 0 ? '' : imports.type('Capabilities', `${runtime}/query/capabilities/capabilities.js`)
  const tableType = imports.type('ServiceTable', `${runtime}/server/service-table.js`)
  const view: ServiceTableView = {
    header: ownershipHeader(service.name),
    imports: imports.lines(),
    capabilitiesType,
    capabilities: [...constants].map(([query, name]) => ({
      name,
      value: valueLiteral(query, 0, `const ${name}: ${capabilitiesType} = `.length),
    })),
    docs: [`${service.title} as the server core runs it: types, routes, query options and errors of the spec.`],
    tableType,
    table: valueLiteral(table, 0, `export const serviceTable: ${tableType} = `.length, constants),
  }
  return { path: 'service-table.ts', text: renderTemplate('service-table', view), kind: 'generated' }
}
