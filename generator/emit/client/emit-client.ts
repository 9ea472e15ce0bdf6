import type { QueryCapabilities, Service } from '../../../spec/language/index.js'
import { type GeneratedFile, ownershipHeader } from '../../generated-file.js'
import { typeExports } from '../../names/name-table.js'
import type { ResourceNode } from '../../names/resource-tree.js'
import { importList, scope } from '../../text/file-scope.js'
import { layOut, unionBehind } from '../../text/layout.js'
import { stringLiteral } from '../../text/literals.js'
import { renderTemplate } from '../../text/render-template.js'
import { endpointDocs } from '../docs.js'
import type { ClientFile, EmitContext } from '../emit-context.js'
import { type ConditionsView, conditionsTable } from './conditions.js'
import { entityShapes, type ShapeView } from './entity-shapes.js'
import { type LiteralFormatsTable, literalFormats } from './literal-formats.js'
import { commonErrorCodes, type OperationContext, operation } from './operations.js'
import { type ArgumentTypeView, argumentTypes, pathText } from './path-arguments.js'
import { type QueryTypeView, queryTypes } from './query-types.js'

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
    runtimeType: name => imports.type(name, importPath('client/index.js')),
    runtimeValue: name => imports.value(name, importPath('client/index.js')),
    formatsReference: name => imports.value(name, ownPath('./literal-formats.js')),
  }
  const formats = literalFormats(service, filtersReachRelations(service), file, importPath)
  const commonCodes = commonErrorCodes(service)
  const types = entityShapes(service, file)
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
    condition: conditions.length > 0 ? file.runtimeType('RequiredHeaders', 'conditions') : '',
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

/** What `templates/client.hbs` shows. */
export interface ClientView {
  readonly header: string
  readonly imports: readonly string[]
  readonly create: string
  readonly createDocs: readonly string[]
  readonly service: string
  readonly serviceDocs: readonly string[]
  /** Names of what is imported from the runtime, empty when it is not. */
  readonly clientOptions: string
  readonly connection: string
  readonly connect: string
  readonly resource: string
  readonly condition: string
  readonly commonCodesType: string
  /** With what stands before it, a space or a line break. */
  readonly commonCodes: string
  /** Of the service itself. */
  readonly members: readonly MemberView[]
  readonly resources: readonly ResourceView[]
  readonly argumentTypes: readonly ArgumentTypeView[]
  readonly shapes: readonly ShapeView[]
  readonly queries: readonly QueryTypeView[]
  readonly conditions: readonly ConditionsView[]
}

interface ResourceView {
  readonly docs: readonly string[]
  /** Its interface. */
  readonly type: string
  readonly constant: string
  readonly members: readonly MemberView[]
}

/** An operation, or a resource below. */
interface MemberView {
  readonly docs: readonly string[]
  readonly name: string
  readonly type: string
  readonly value: string
}
