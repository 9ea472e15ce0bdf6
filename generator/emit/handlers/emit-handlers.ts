import { indented, memberLines } from '../../add-handlers/stub-lines.js'
import type { GeneratedFile } from '../../generated-file.js'
import { propertyName } from '../../names/property-name.js'
import { typeExports } from '../../names/type-exports.js'
import { renderTemplate } from '../../templates/render-template.js'
import { importList } from '../../text/import-list.js'
import { stringLiteral } from '../../text/string-literal.js'
import type { EmitContext } from '../emit-context.js'
import { serverNames } from '../server/server-names.js'
import type { HandlersFile } from './handlers-file.js'
import { handlersFiles } from './handlers-files.js'

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
