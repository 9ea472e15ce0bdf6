import type { GeneratedFile } from '../../generated-file.js'
import type { EndpointNode, ResourceNode } from '../../names/resource-node.js'
import { typeExports } from '../../names/type-exports.js'
import { ownershipHeader } from '../../ownership.js'
import { renderTemplate } from '../../templates/render-template.js'
import { importList } from '../../text/import-list.js'
import type { EmitContext } from '../emit-context.js'
import { calls } from './calls.js'
import { type HandlerContext, handler } from './handler.js'
import { rows } from './rows.js'
import type { ServerFile } from './server-file.js'
import { serverNames } from './server-names.js'
import type { HandlerGroupView, ServerView } from './server-view.js'

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
    runtimeType: (name, module) => imports.type(name, importPath(`${module}.js`)),
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
  const needed = `${file.runtimeType('ContextNeeded', 'server/service-options')}<${file.context}>`
  const view = {
    header: ownershipHeader(service.name),
    create: declared.create,
    notImplemented: `${declared.notImplemented === 'notImplemented' ? '' : 'notImplemented as '}${declared.notImplemented}`,
    notImplementedModule: importPath('server/not-implemented.js'),
    context: declared.context,
    createDocs: [
      `Serves ${service.title}: routes, checks and shapes every request, and asks the handlers for the rest.`,
      'Operations without a handler answer 501.',
    ],
    handlers: declared.handlersOf(names.resources),
    runtime: {
      unfinished: file.runtimeType('Unfinished', 'server/handler'),
      service: file.runtimeType('Service', 'server/create-service'),
      createService: imports.value('createService', importPath('server/create-service.js')),
      handlersByName: imports.value('handlersByName', importPath('server/handler.js')),
      answer: groups.some(({ handlers }) => handlers.length > 0) ? file.runtimeType('Answer', 'server/handler') : '',
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
