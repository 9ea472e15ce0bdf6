import {
  buildServiceTable,
  type CallEndpoint,
  callableInQueries,
  codeName,
  type Endpoint,
  isUpsert,
  type Operation,
  type Service,
  type ServiceTableData,
} from '../../../spec/language/index.js'
import type { GeneratedFile } from '../../generated-file.js'
import { operationIdentifier } from '../../names/identifiers.js'
import { type EndpointNode, type ResourceNode, typeExports } from '../../names/name-table.js'
import { scope } from '../../text/file-scope.js'
import { renderTemplate } from '../../text/render-template.js'
import { annotatedDocs, endpointDocs } from '../doc-comments.js'
import { type CodeFile, codeFile, type EmitContext } from '../emit-context.js'
import { anyShapeName, valueTypeText } from '../types/value-types.js'
import { type CallView, calls, serverNames } from './calls.js'
import { type Rows, rows } from './rows.js'

/** The handlers of a resource, or of the service itself. */
interface HandlerGroupView {
  readonly docs: readonly string[]
  readonly name: string
  readonly handlers: readonly HandlerView[]
  readonly groups: readonly { readonly name: string; readonly type: string }[]
}

interface HandlerView {
  readonly docs: readonly string[]
  readonly name: string
  readonly call: CallView
  readonly result: string
}

/** `server.ts`: the typed skeleton on the runtime's server core. */
export function emitServer(context: EmitContext): GeneratedFile {
  const { service, names, runtimePath } = context
  const declared = serverNames(names, typeExports(service, names))
  const file = codeFile(context, 'server', declared.scope)
  const callTypes = calls(endpointsOf(names.resources), service, declared.context, file)
  const rowTypes = rows(service, file)
  const handler = ({ name, endpoint }: EndpointNode): HandlerView => ({
    docs: endpointDocs(endpoint),
    name,
    call: callTypes.of(endpoint),
    result: resultText(endpoint, service, file, rowTypes),
  })
  const group = (node: ResourceNode, docs: readonly string[]): HandlerGroupView => ({
    docs,
    name: declared.handlersOf(node),
    handlers: node.endpoints.map(handler),
    groups: node.children.map(child => ({ name: child.name, type: declared.handlersOf(child) })),
  })
  const groupsBelow = (node: ResourceNode): readonly HandlerGroupView[] =>
    node.children.flatMap(child => [group(child, [child.path]), ...groupsBelow(child)])
  const { create, notImplemented, context: typeParameter } = declared
  const queryFunctions = functionsWithoutDefinition(service)
  const view = {
    create,
    notImplemented: notImplemented === 'notImplemented' ? notImplemented : `notImplemented as ${notImplemented}`,
    runtimeModule: runtimePath('server'),
    context: typeParameter,
    createDocs: [
      `Serves ${service.title}. The service routes and checks every request, and shapes every response. The handlers do the rest.`,
      'Operations without a handler answer 501.',
    ],
    handlers: declared.handlersOf(names.resources),
    options: service.authentication.scheme === 'none' ? 'ServiceOptions' : 'SecuredServiceOptions',
    parts: partsOf(service),
    serviceTable: file.localName('serviceTable', './service-table.js'),
    groups: [group(names.resources, ['A handler for each operation of the service.']), ...groupsBelow(names.resources)],
    shapes: callTypes.shapes(),
    rows: rowTypes.views(),
    functions:
      queryFunctions.length === 0
        ? undefined
        : { type: declared.functions, members: queryFunctions.map(operation => functionView(operation, file)) },
  }
  return { path: 'server.ts', text: renderTemplate('server', view, file), kind: 'generated' }
}

/** The functions that queries can call and that only the service can compute. */
export const functionsWithoutDefinition = (service: Service): readonly Operation[] =>
  callableInQueries(service).filter(({ definition }) => definition === undefined)

/** A function that queries can call, as `templates/server.hbs` shows it. */
function functionView(operation: Operation, file: CodeFile) {
  const { binding, parameters, returns } = operation
  const item = binding === undefined ? 'undefined' : file.typeReference(anyShapeName(file.names, binding.type, 'read'))
  const given = parameters.length === 0 ? 'object' : file.typeReference(`${operationIdentifier(operation)}Parameters`)
  return {
    docs: annotatedDocs(operation),
    name: codeName(operation),
    call: `${file.runtime('QueryFunctionCall')}<${item}, ${given}>`,
    result: returns === undefined ? 'unknown' : valueTypeText(file.names, returns, 'read', file.typeReference),
  }
}

/** The parts of the server core that only this service needs. */
function partsOf({ features, queryCapabilities }: Service): readonly string[] {
  const hasTransformations = queryCapabilities.some(({ apply }) => apply !== undefined && apply.support !== 'none')
  return [
    ...(features.respondAsync === 'none' ? [] : ['asynchronous']),
    ...(features.batch === 'none' ? [] : ['batches']),
    ...(features.propertyPaths === 'none' ? [] : ['propertyTargets']),
    ...(hasTransformations ? ['transformations'] : []),
  ]
}

const endpointsOf = ({ endpoints, children }: ResourceNode): readonly EndpointNode[] => [
  ...endpoints,
  ...children.flatMap(endpointsOf),
]

/** The type of what a handler returns. */
function resultText(endpoint: Endpoint, service: Service, file: CodeFile, rows: Rows): string {
  switch (endpoint.kind) {
    case 'collection':
      return `${file.runtime('ListResult')}<${rows.textOf(endpoint.type)}>`
    case 'delta':
      return `${file.runtime('DeltaResult')}<${rows.textOf(endpoint.type)}>`
    case 'count':
      return 'number'
    case 'create':
    case 'createMedia':
      return rows.textOf(endpoint.type)
    case 'readStream':
      return `${file.runtime('ReadStream')} | null | undefined`
    case 'replaceStream':
      return `${file.runtime('ChangedStream')} | undefined`
    case 'deleteStream':
      return 'void'
    case 'item':
      return `${rows.textOf(endpoint.type)} | null | undefined`
    case 'update':
    case 'replace': {
      const row = rows.textOf(endpoint.type)
      return `${row} | ${isUpsert(endpoint, service) ? `${file.runtime('CreatedItem')}<${row}> | ` : ''}null | undefined`
    }
    case 'delete':
      return 'void'
    case 'call':
      return callResultText(endpoint, file, rows)
  }
}

function callResultText(endpoint: CallEndpoint, file: CodeFile, rows: Rows): string {
  const { returns } = endpoint.operation
  if (returns === undefined) return 'void'
  const { type, collection } = returns
  const absent = returns.nullable && !collection ? ' | null | undefined' : ''
  if (type.kind !== 'entityType') {
    return valueTypeText(file.names, { ...returns, nullable: false }, 'read', file.typeReference) + absent
  }
  const row = rows.textOf(type)
  if (!collection) return row + absent
  return endpoint.query === undefined ? `readonly ${row}[]` : `${file.runtime('ListResult')}<${row}>`
}

/** `service-table.ts`: the service as the server core runs it. */
export function emitServiceTable(context: EmitContext): GeneratedFile {
  const { service, names } = context
  const view = {
    docs: [`${service.title} as the server core runs it: types, query options, routes and errors of the spec.`],
    table: {
      ...compactTable(buildServiceTable(service)),
      ...(names.exactNumbers === 'number' ? {} : { numbers: names.exactNumbers }),
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
