import type { CallEndpoint, Endpoint } from '../../../spec/language/index.js'
import { type GeneratedFile, ownershipHeader } from '../../generated-file.js'
import { typeExports } from '../../names/name-table.js'
import type { EndpointNode, ResourceNode } from '../../names/resource-tree.js'
import { importList } from '../../text/file-scope.js'
import { renderTemplate } from '../../text/render-template.js'
import { endpointDocs } from '../docs.js'
import type { EmitContext, ServerFile } from '../emit-context.js'
import { valueTypeText } from '../types/value-types.js'
import { type Calls, calls } from './calls.js'
import { type Rows, rows } from './rows.js'
import { type HandlerGroupView, type HandlerView, type ServerView, serverNames } from './server-names.js'

/** `server.ts`: the typed skeleton over the runtime's server core. */
export function emitServer(context: EmitContext): GeneratedFile {
  return { path: 'server.ts', text: renderTemplate('server', serverView(context)), kind: 'generated' }
}

function serverView({ service, names, importPath, ownPath }: EmitContext): ServerView {
  const declared = serverNames(names, typeExports(service, names))
  const imports = importList(declared.scope.taken)
  const file: ServerFile = {
    names,
    scope: declared.scope,
    context: declared.context,
    typeReference: name => imports.own(name, ownPath('./types.js')),
    runtimeType: (name, module) => imports.type(name, importPath(`${module.slice(0, module.indexOf('/'))}/index.js`)),
  }
  const context: HandlerContext = {
    file,
    calls: calls(endpointsOf(names.resources), service, file),
    rows: rows(service, file),
  }
  const group = (node: ResourceNode, docs: readonly string[]): HandlerGroupView => ({
    docs,
    name: declared.handlersOf(node),
    handlers: node.endpoints.map(endpoint => handler(endpoint, context)),
    groups: node.children.map(child => ({ name: child.name, type: declared.handlersOf(child) })),
  })
  const groupsBelow = (node: ResourceNode): readonly HandlerGroupView[] =>
    node.children.flatMap(child => [group(child, [child.path]), ...groupsBelow(child)])

  const groups = [
    group(names.resources, ['A handler for every operation of the service.']),
    ...groupsBelow(names.resources),
  ]
  const optionsName = service.authentication.scheme === 'none' ? 'ServiceOptions' : 'SecuredServiceOptions'
  const options = `${file.runtimeType(optionsName, 'server/service-options')}<${file.context}>`
  const needed = `${file.runtimeType('RequiredContext', 'server/service-options')}<${file.context}>`
  const view = {
    header: ownershipHeader(service.name),
    create: declared.create,
    notImplemented: `${declared.notImplemented === 'notImplemented' ? '' : 'notImplemented as '}${declared.notImplemented}`,
    notImplementedModule: importPath('server/index.js'),
    context: declared.context,
    createDocs: [
      `Serves ${service.title}: routes, checks and shapes every request, and asks the handlers for the rest.`,
      'Operations without a handler answer 501.',
    ],
    handlers: declared.handlersOf(names.resources),
    runtime: {
      unfinished: file.runtimeType('DeepPartial', 'server/handler'),
      service: file.runtimeType('Service', 'server/create-service'),
      createService: imports.value('createService', importPath('server/index.js')),
      handlersByName: imports.value('handlersByName', importPath('server/index.js')),
      answer: groups.some(({ handlers }) => handlers.length > 0)
        ? file.runtimeType('MaybePromise', 'server/handler')
        : '',
    },
    options: `${options} & ${needed}`,
    serviceTable: imports.value('serviceTable', ownPath('./service-table.js')),
    groups,
    shapes: context.calls.shapes(),
    rows: context.rows.views(),
  }
  return { ...view, imports: imports.lines() }
}

const endpointsOf = ({ endpoints, children }: ResourceNode): readonly EndpointNode[] => [
  ...endpoints,
  ...children.flatMap(endpointsOf),
]

/** What handlers refer to. */
interface HandlerContext {
  readonly file: ServerFile
  readonly calls: Calls
  readonly rows: Rows
}

/** One handler: its call and its answer. */
function handler({ name, endpoint }: EndpointNode, context: HandlerContext): HandlerView {
  return {
    docs: endpointDocs(endpoint),
    name,
    call: context.calls.of(endpoint),
    answer: answerText(endpoint, context),
  }
}

function answerText(endpoint: Endpoint, { file, rows }: HandlerContext): string {
  switch (endpoint.kind) {
    case 'collection':
      return `${file.runtimeType('ListResult', 'server/list-result')}<${rows.textOf(endpoint.type)}>`
    case 'delta':
      return `${file.runtimeType('DeltaResult', 'server/delta-result')}<${rows.textOf(endpoint.type)}>`
    case 'count':
      return 'number'
    case 'create':
      return rows.textOf(endpoint.type)
    case 'item':
    case 'update':
    case 'replace':
      return `${rows.textOf(endpoint.type)} | null | undefined`
    case 'delete':
      return 'void'
    case 'call':
      return callAnswer(endpoint, file, rows)
  }
}

function callAnswer(endpoint: CallEndpoint, file: ServerFile, rows: Rows): string {
  const { returns } = endpoint.operation
  if (returns === undefined) return 'void'
  const { type, collection } = returns
  const absent = returns.nullable && !collection ? ' | null | undefined' : ''
  if (type.kind !== 'entityType') {
    return valueTypeText(file.names, { ...returns, nullable: false }, 'read', file.typeReference) + absent
  }
  const row = rows.textOf(type)
  if (!collection) return row + absent
  if (endpoint.query !== undefined) return `${file.runtimeType('ListResult', 'server/list-result')}<${row}>`
  return `readonly ${row}[]`
}
