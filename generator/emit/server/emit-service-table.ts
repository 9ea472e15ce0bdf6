import { buildServiceTable } from '../../../spec/language/service-table.js'
import type { GeneratedFile } from '../../generated-file.js'
import { ownershipHeader } from '../../ownership.js'
import { renderTemplate } from '../../templates/render-template.js'
import { importList } from '../../text/import-list.js'
import { templateLiteral } from '../../text/template-literal.js'
import type { EmitContext } from '../emit-context.js'
import { serviceTableText } from './service-table-text.js'

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
  const read = imports.value('readServiceTable', importPath('server/read-service-table.js'))
  const tableType = imports.type('ServiceTable', importPath('server/service-table.js'))
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
