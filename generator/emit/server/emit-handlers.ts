import type { Service } from '../../../spec/language/index.js'
import type { GeneratedFile } from '../../generated-file.js'
import { fileName, propertyName } from '../../names/identifiers.js'
import { type NameTable, typeExports } from '../../names/name-table.js'
import type { EndpointNode, ResourceNode } from '../../names/resource-tree.js'
import { docComment } from '../../text/doc-comment.js'
import { importList, scope } from '../../text/file-scope.js'
import { stringLiteral } from '../../text/literals.js'
import { renderTemplate } from '../../text/render-template.js'
import { endpointDocs } from '../docs.js'
import type { EmitContext } from '../emit-context.js'
import { indented, memberLines, type Stub, type StubGroup } from './handler-stubs.js'
import { serverNames } from './server-names.js'

/** What `templates/handlers.hbs` shows. */
export interface HandlersView {
  readonly docs: readonly string[]
  readonly imports: readonly string[]
  readonly name: string
  /** The type of the constant. */
  readonly type: string
  /** Its members, each line indented. */
  readonly members: readonly string[]
}

/** What `templates/handlers-index.hbs` shows. */
export interface HandlersIndexView {
  readonly docs: readonly string[]
  readonly imported: string
  /** Where it is imported from. */
  readonly server: string
  readonly context: string
  readonly files: readonly { readonly name: string; readonly module: string }[]
  readonly members: readonly string[]
}

/** The files of `handlers/`: a start, written once, that compiles and answers 501 to everything. */
export function emitHandlers({ service, names, ownPath }: EmitContext): readonly GeneratedFile[] {
  const files = handlersFiles(service, names)
  const declared = serverNames(names, typeExports(service, names))
  const all = declared.handlersOf(names.resources)
  const index: HandlersIndexView = {
    docs: [`All handlers of ${service.title}.`],
    imported: all,
    server: ownPath('../server.js'),
    context: ownPath('./context.js'),
    files: files.map(({ path, stubs }) => ({
      name: stubs.name,
      module: ownPath(path.replace('handlers/', './').replace(/\.ts$/, '.js')),
    })),
    members: files.map(({ stubs, holds }) => {
      if (holds.kind === 'operations') return `...${stubs.name}`
      const name = propertyName(holds.name)
      return name === stubs.name ? name : `${name}: ${stubs.name}`
    }),
  }
  return [
    { path: 'handlers/context.ts', text: renderTemplate('handlers-context', {}), kind: 'once' },
    { path: 'handlers/index.ts', text: renderTemplate('handlers-index', index), kind: 'once' },
    ...files.map(
      (file): GeneratedFile => ({
        path: file.path,
        text: renderTemplate('handlers', view(file, declared.notImplemented, ownPath)),
        kind: 'once',
      }),
    ),
  ]
}

function view(
  { stubs, holds, type }: HandlersFile,
  notImplemented: string,
  ownPath: EmitContext['ownPath'],
): HandlersView {
  const whole = `${type.name}<Context>`
  const imports = importList([stubs.name])
  imports.value(notImplemented, ownPath('../server.js'))
  imports.own(type.name, ownPath('../server.js'))
  imports.own('Context', ownPath('./context.js'))
  const members = type.members?.map(stringLiteral).join(' | ')
  return {
    docs: [
      holds.kind === 'resource'
        ? `The handlers of ${holds.name}.`
        : 'The handlers of operations that belong to no resource.',
    ],
    imports: imports.lines(),
    name: stubs.name,
    type: members === undefined ? whole : `Pick<${whole}, ${members}>`,
    members: indented(memberLines(stubs.members, notImplemented)),
  }
}

/** Names that the folder of handlers needs itself. */
const reservedFiles = ['index', 'context']

/** Names that the files of handlers use beside the constants that they export. */
const reservedConstants = ['handlers']

/** The files of a service's handlers: one a resource, and one for the operations that belong to none. */
export function handlersFiles(service: Service, names: NameTable): readonly HandlersFile[] {
  const types = serverNames(names, typeExports(service, names))
  const files = scope(reservedFiles)
  const constants = scope([...reservedConstants, types.notImplemented])
  const path = (name: string): string => `handlers/${files.claim(fileName(name), '-')}.ts`
  const resources: readonly HandlersFile[] = names.resources.children.map(node => ({
    path: path(node.name),
    stubs: resourceStubs(node, constants.claim(node.constant, '_')),
    holds: { kind: 'resource', name: node.name },
    type: { name: types.handlersOf(node) },
  }))
  const { endpoints } = names.resources
  if (endpoints.length === 0) return resources
  return [
    ...resources,
    {
      path: path('operations'),
      stubs: { name: constants.claim('operations', '_'), members: operationStubs(endpoints) },
      holds: { kind: 'operations' },
      type: { name: types.handlersOf(names.resources), members: endpoints.map(({ name }) => name) },
    },
  ]
}

/** One file of handlers: where it is, and what it holds at first. */
interface HandlersFile {
  /** Relative to the output folder. */
  readonly path: string
  /** Named after the constant that the file exports. */
  readonly stubs: StubGroup
  /** What the constant holds for all handlers of the service: one member of that name, or its own members. */
  readonly holds: { readonly kind: 'resource'; readonly name: string } | { readonly kind: 'operations' }
  /** The type of the constant, with the type of the context as its argument. */
  readonly type: { readonly name: string; readonly members?: readonly string[] }
}

/** Handlers that are not written yet: those of a resource and of all resources below it. */
const resourceStubs = (node: ResourceNode, name: string): StubGroup => ({
  name,
  members: [...operationStubs(node.endpoints), ...node.children.map(child => resourceStubs(child, child.name))],
})

const operationStubs = (endpoints: readonly EndpointNode[]): readonly Stub[] =>
  endpoints.map(({ name, endpoint }) => ({ name, docs: docComment(endpointDocs(endpoint), 4) }))
