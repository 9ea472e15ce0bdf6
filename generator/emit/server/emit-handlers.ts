import { codeName, type Service } from '../../../spec/language/index.js'
import type { GeneratedFile } from '../../generated-file.js'
import { fileName } from '../../names/identifiers.js'
import { type EndpointNode, type NameTable, type ResourceNode, typeExports } from '../../names/name-table.js'
import { docComment } from '../../text/doc-comment.js'
import { importList, scope } from '../../text/file-scope.js'
import { literalUnion } from '../../text/literals.js'
import { noImports, renderTemplate } from '../../text/render-template.js'
import { annotatedDocs, endpointDocs } from '../doc-comments.js'
import type { EmitContext } from '../emit-context.js'
import { serverNames } from './calls.js'
import { functionsWithoutDefinition } from './emit-server.js'

/** The files of `handlers/`: written once, they compile and answer every request with 501. */
export function emitHandlers({ service, names, ownPath, templates }: EmitContext): readonly GeneratedFile[] {
  const files = handlersFiles(service, names)
  const { notImplemented, handlersOf } = serverNames(names, typeExports(service, names))
  const functions = functionsFile(service, names)
  const index = {
    docs: [`All handlers of ${service.title}.`],
    type: handlersOf(names.resources),
    server: ownPath('../server.js'),
    context: ownPath('./context.js'),
    files: files.map(({ path, stubs, resource }) => ({
      name: resource ?? '',
      constant: stubs.name,
      module: ownPath(path.replace('handlers/', './').replace(/\.ts$/, '.js')),
      isSpread: resource === undefined,
    })),
    functions: functions === undefined ? undefined : ownPath('./functions.js'),
  }
  const once = (path: string, text: string): GeneratedFile => ({ path, text, kind: 'once' })
  const plain = { ...noImports, templates }
  return [
    once('handlers/context.ts', renderTemplate('handlers-context', {}, plain)),
    once('handlers/index.ts', renderTemplate('handlers-index', index, plain)),
    ...[...files, ...(functions === undefined ? [] : [functions])].map(file =>
      once(file.path, fileText(file, notImplemented, { ownPath, templates })),
    ),
  ]
}

function fileText(
  { stubs, resource, type }: HandlersFile,
  notImplemented: string,
  { ownPath, templates }: Pick<EmitContext, 'ownPath' | 'templates'>,
): string {
  const isGeneric = type.context !== false
  const whole = isGeneric ? `${type.name}<Context>` : type.name
  const imports = importList(scope([stubs.name]))
  imports.own(notImplemented, ownPath('../server.js'), 'value')
  imports.own(type.name, ownPath('../server.js'), 'type')
  if (isGeneric) imports.own('Context', ownPath('./context.js'), 'type')
  const view = {
    docs: [
      !isGeneric
        ? 'The functions that queries can call and that the spec does not define.'
        : resource === undefined
          ? 'The handlers of operations without a resource.'
          : `The handlers of ${resource}.`,
    ],
    name: stubs.name,
    type: type.members === undefined ? whole : `Pick<${whole}, ${literalUnion(type.members)}>`,
    members: stubs.members,
    notImplemented,
  }
  return renderTemplate('handlers', view, { ...noImports, imports: () => imports.lines(), templates })
}

/** The file of the functions that queries can call. Undefined: the spec defines all of them. */
function functionsFile(service: Service, names: NameTable): HandlersFile | undefined {
  const functions = functionsWithoutDefinition(service)
  if (functions.length === 0) return undefined
  const members = functions.map(operation => ({
    name: codeName(operation),
    docs: docComment(annotatedDocs(operation), 4),
    members: [],
  }))
  return {
    path: 'handlers/functions.ts',
    stubs: { name: 'functions', docs: [], members },
    resource: undefined,
    type: { name: serverNames(names, typeExports(service, names)).functions, context: false },
  }
}

/** Files that such a folder can have. */
const reservedFiles = ['index', 'context', 'functions']

/** Names that the files use besides the constants that they export. */
const reservedConstants = ['handlers']

/** The files of a service's handlers: one for each resource, and one for the operations without a resource. */
export function handlersFiles(service: Service, names: NameTable): readonly HandlersFile[] {
  const types = serverNames(names, typeExports(service, names))
  const files = scope(reservedFiles)
  const constants = scope([...reservedConstants, types.notImplemented])
  const path = (name: string): string => `handlers/${files.claim(fileName(name), '-')}.ts`
  const resources: readonly HandlersFile[] = names.resources.children.map(node => ({
    path: path(node.name),
    stubs: resourceStubs(node, constants.claim(node.constant, '_')),
    resource: node.name,
    type: { name: types.handlersOf(node) },
  }))
  const { endpoints } = names.resources
  if (endpoints.length === 0) return resources
  return [
    ...resources,
    {
      path: path('operations'),
      stubs: { name: constants.claim('operations', '_'), docs: [], members: operationStubs(endpoints) },
      resource: undefined,
      type: { name: types.handlersOf(names.resources), members: endpoints.map(({ name }) => name) },
    },
  ]
}

/** One file of handlers: its path and its initial content. */
interface HandlersFile {
  /** Relative to the output folder. */
  readonly path: string
  /** Named after the constant that the file exports. */
  readonly stubs: HandlerStub
  /** The resource of the handlers; undefined for operations without a resource. */
  readonly resource: string | undefined
  /** The type of the constant, with the type of the context as its argument. */
  readonly type: { readonly name: string; readonly members?: readonly string[]; readonly context?: false }
}

/** A handler that is not written yet, or a group of them, as `templates/partials/handler-stubs.hbs` shows it. */
export interface HandlerStub {
  /** Name of the property; for the outermost group, name of the exported constant. */
  readonly name: string
  /** The lines of its comment. */
  readonly docs: readonly string[]
  /** Of a group, in the order of the spec; empty for a handler. */
  readonly members: readonly HandlerStub[]
}

/** Stubs for a resource and all resources below it. */
const resourceStubs = (node: ResourceNode, name: string): HandlerStub => ({
  name,
  docs: [],
  members: [...operationStubs(node.endpoints), ...node.children.map(child => resourceStubs(child, child.name))],
})

const operationStubs = (endpoints: readonly EndpointNode[]): readonly HandlerStub[] =>
  endpoints.map(({ name, endpoint }) => ({ name, docs: docComment(endpointDocs(endpoint), 4), members: [] }))
