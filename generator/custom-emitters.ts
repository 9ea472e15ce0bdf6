import { type Diagnostic, type Service, visibleLines } from '../spec/language/index.js'
import type { Emitter, EmitterContext } from './generate-options.js'
import { type GeneratedFile, isOwned, markerLine, ownershipNote } from './generated-file.js'
import { type NameTable, typeName } from './names/name-table.js'

/** What emitters returned. */
interface EmitterResult {
  readonly files: readonly GeneratedFile[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Runs emitters of a user and checks what they return.
 *
 * @param others the files that the generator emits itself
 * @param path the file that the diagnostics name
 */
export function runEmitters(
  emitters: readonly Emitter[],
  service: Service,
  { names, ownPath }: { readonly names: NameTable; readonly ownPath: (specifier: string) => string },
  others: readonly GeneratedFile[],
  path: string,
): EmitterResult {
  const context: EmitterContext = {
    header: file => markerLine(file, service.name),
    note: ownershipNote(service.name),
    typeName: type => typeName(names, type),
    importPath: ownPath,
  }
  const taken = new Map(others.map(file => [file.path.toLowerCase(), 'Specwright itself']))
  const files: GeneratedFile[] = []
  const diagnostics: Diagnostic[] = []
  for (const { name, emit } of emitters) {
    const report = (message: string): void => {
      diagnostics.push(emitterDiagnostic(`The emitter ${JSON.stringify(name)} ${message}`, path))
    }
    let emitted: unknown
    try {
      emitted = emit(service, context)
    } catch (error) {
      report(`failed: ${visibleLines(error instanceof Error ? (error.stack ?? error.message) : String(error))}`)
      continue
    }
    if (!Array.isArray(emitted)) {
      const found = emitted instanceof Promise ? 'a promise, but emitters are synchronous' : `${typeof emitted}`
      report(`returned ${found}. Return a list of files, \`[{ path, text }]\`.`)
      continue
    }
    const list: readonly unknown[] = emitted
    for (const value of list) {
      const file = fileOf(value)
      if (typeof file === 'string') {
        report(file)
        continue
      }
      const owner = taken.get(file.path.toLowerCase())
      if (owner !== undefined) report(`returned ${file.path}, which ${owner} writes. Choose another path.`)
      else if (file.kind === 'generated' && !isOwned(file.path, file.text)) report(unmarked(file.path))
      else files.push(file)
      taken.set(file.path.toLowerCase(), `the emitter ${JSON.stringify(name)}`)
    }
  }
  return { files, diagnostics }
}

const unmarked = (path: string): string =>
  path.endsWith('.json')
    ? `returned ${path} without the ownership marker. Begin the document with the member "$comment", whose value is \`context.note\`, indented by two spaces.`
    : `returned ${path} without the ownership marker. Begin the text with \`\${context.header(path)}\\n\`.`

/** A file that an emitter returned, or what is wrong with it. */
function fileOf(value: unknown): GeneratedFile | string {
  if (typeof value !== 'object' || value === null)
    return `returned ${typeof value} as a file. Return \`{ path, text }\`.`
  const { path, text, kind = 'generated' }: Readonly<Record<string, unknown>> = { ...value }
  if (typeof path !== 'string' || typeof text !== 'string') {
    return 'returned a file whose `path` or `text` is not a string. Return `{ path, text }`.'
  }
  if (kind !== 'generated' && kind !== 'once') return `returned ${path} with the kind ${JSON.stringify(kind)}.`
  const isBelow = path.split('/').every(segment => segment !== '' && segment !== '.' && segment !== '..')
  if (!isBelow || /[\\:\0]/.test(path)) {
    return `returned the path ${JSON.stringify(path)}. Return one below the output folder, with \`/\` between names.`
  }
  return { path, text, kind }
}

function emitterDiagnostic(message: string, path: string): Diagnostic {
  const location = { line: 1, column: 1, offset: 0, length: 0 }
  return { severity: 'error', code: 'emitter/failed', message, path, location, related: [] }
}
