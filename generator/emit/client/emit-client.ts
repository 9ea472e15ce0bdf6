import type { QueryCapabilities, Service } from '../../../spec/language/model/index.js'
import type { GeneratedFile } from '../../generated-file.js'
import type { ResourceNode } from '../../names/resource-node.js'
import { typeExports } from '../../names/type-exports.js'
import { ownershipHeader } from '../../ownership.js'
import { renderTemplate } from '../../templates/render-template.js'
import { layOut, unionBehind } from '../../text/breakable.js'
import { importList } from '../../text/import-list.js'
import { scope } from '../../text/scope.js'
import { stringLiteral } from '../../text/string-literal.js'
import type { EmitContext } from '../emit-context.js'
import { endpointDocs } from '../endpoint-docs.js'
import { argumentTypes } from './argument-types.js'
import type { ClientFile } from './client-file.js'
import type { ClientView, MemberView, ResourceView } from './client-view.js'
import { conditionsTable } from './conditions.js'
import { commonErrorCodes } from './error-codes.js'
import { type LiteralFormatsTable, literalFormats } from './literal-formats.js'
import { type OperationContext, operation } from './operation.js'
import { pathText } from './path-template-text.js'
import { queryTypes } from './query-types.js'
import { shapes } from './shapes.js'

/**
 * `client.ts`: one constant a resource, so that what an app does not use is left out of its bundle; and
 * `literal-formats.ts`, when it needs any. These have a file of their own, because the compiler follows each name that a
 * constant is made of back through all constants above it.
 */
export function emitClient(context: EmitContext): readonly GeneratedFile[] {
  const { view, formats } = clientParts(context)
  return [{ path: 'client.ts', text: renderTemplate('client', view), kind: 'generated' }, ...formats.files()]
}

/** What the functions of the file call their arguments. */
const locals = ['connection', 'options', 'parameters', 'undefined']

function clientParts({ service, names, importPath, ownPath }: EmitContext): {
  readonly view: ClientView
  readonly formats: LiteralFormatsTable
} {
  const declared = scope([...typeExports(service, names), ...locals])
  const serviceType = declared.claim(names.service, 'Client')
  const create = declared.claim(`create${names.service}`, '_')
  const commonCodesType = declared.claim('CommonErrorCode', '_')
  const resourceNames = new Map<ResourceNode, { readonly type: string; readonly constant: string }>()
  for (const node of resourcesBelow(names.resources)) {
    const type = declared.claim(node.identifier, 'Resource')
    resourceNames.set(node, { type, constant: declared.claim(node.constant, 'Resource') })
  }

  // Types keep their own names here, so what is imported from the runtime gives way.
  const imports = importList(declared.taken)
  const file: ClientFile = {
    names,
    scope: declared,
    typeReference: name => imports.own(name, ownPath('./types.js')),
    runtimeType: (name, module) => imports.type(name, importPath(`client/${module}.js`)),
    runtimeValue: (name, module) => imports.value(name, importPath(`client/${module}.js`)),
    formatsReference: name => imports.value(name, ownPath('./literal-formats.js')),
  }
  const formats = literalFormats(service, filtersReachRelations(service), file, importPath)
  const commonCodes = commonErrorCodes(service)
  const types = shapes(service, file)
  const endpoints = [names.resources, ...resourcesBelow(names.resources)].flatMap(node => node.endpoints)
  const paths = new Map(endpoints.map(({ endpoint }) => [endpoint, pathText(endpoint, file)]))
  const operations: OperationContext = {
    service,
    file,
    paths,
    argumentTypes: argumentTypes(paths, file),
    queries: queryTypes(file),
    formats,
    conditions: conditionsTable(file),
    commonCodes: new Set(commonCodes),
    commonCodesType,
    shapeOf: types.nameOf,
  }
  const namesOf = (node: ResourceNode): { readonly type: string; readonly constant: string } => {
    const found = resourceNames.get(node)
    if (found === undefined) throw new Error(`the resource ${node.names.join('.')} has no name`)
    return found
  }
  const members = (node: ResourceNode, indentation: number): readonly MemberView[] => [
    ...node.endpoints.map(endpoint => {
      const { type, value } = operation(endpoint, operations)
      return {
        docs: endpointDocs(endpoint.endpoint),
        name: endpoint.name,
        type: layOut(type, 2, `  readonly ${endpoint.name}: `.length),
        value: layOut(value, indentation, `${endpoint.name}: `.length + indentation, 1),
      }
    }),
    ...node.children.map(child => {
      const { type, constant } = namesOf(child)
      return { docs: [], name: child.name, type, value: `${constant}(connection)` }
    }),
  ]
  const resource = (node: ResourceNode): ResourceView => ({
    docs: [node.path],
    ...namesOf(node),
    members: members(node, 4),
  })
  const root = members(names.resources, 4)
  const resources = resourcesBelow(names.resources).map(resource)
  const shapeViews = types.views()
  const conditions = operations.conditions.views()
  const queries = operations.queries.views()
  const view = {
    header: ownershipHeader(service.name),
    create,
    createDocs: [
      `A client of ${service.title}, ${service.version}. \`baseUrl\` ends in the version: \`https://service.example/${service.version}\`.`,
    ],
    service: serviceType,
    serviceDocs: [service.title + (service.description === undefined ? '' : `: ${service.description}`)],
    clientOptions: file.runtimeType('ClientOptions', 'connection'),
    connection: file.runtimeType('Connection', 'connection'),
    connect: file.runtimeValue('connect', 'connection'),
    resource: resources.length > 0 ? file.runtimeValue('resource', 'resource') : '',
    condition: conditions.length > 0 ? file.runtimeType('Conditions', 'conditions') : '',
    commonCodesType,
    commonCodes:
      commonCodes.length === 0
        ? ' never'
        : spaceBefore(
            layOut(unionBehind(commonCodes.map(stringLiteral)), 0, `export type ${commonCodesType} = `.length),
          ),
    members: root,
    resources,
    argumentTypes: operations.argumentTypes.views(),
    shapes: shapeViews,
    queries,
    conditions,
  }
  return { view: { ...view, imports: imports.lines() }, formats }
}

const spaceBefore = (text: string): string => (text.startsWith('\n') ? text : ` ${text}`)

/** All resources but the service itself, outer ones first. */
const resourcesBelow = (node: ResourceNode): readonly ResourceNode[] =>
  node.children.flatMap(child => [child, ...resourcesBelow(child)])

/** Whether any filter may stand inside an expanded relation, or lead through one. */
function filtersReachRelations(service: Service): boolean {
  const reaches = ({ expand, filter }: QueryCapabilities): boolean =>
    (expand.support !== 'none' && expand.nested.includes('filter')) ||
    Object.values(filter.properties).some(({ support }) => support !== 'none')
  return service.endpoints.some(
    endpoint => 'query' in endpoint && endpoint.query !== undefined && reaches(endpoint.query),
  )
}
