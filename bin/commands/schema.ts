import { dirname, relative, resolve } from 'node:path'
import { Command } from 'commander'
import type { LoadedSpec } from '../../spec/language/index.js'
import {
  type ExitCode,
  exitCode,
  type HelpFooter,
  helpFooter,
  jsonText,
  UsageError,
  writeDiagnostics,
  writeDocument,
} from '../output.js'
import { loadSpec } from '../project.js'
import type { Terminal } from '../terminal.js'

const help: HelpFooter = {
  examples: [
    ['specwright schema todo.yaml --out todo.schema.json', 'with the names of todo.yaml'],
    ['specwright schema todo.yaml --out todo.schema.json --watch', 'again whenever they change'],
    ['specwright schema > specwright.schema.json', 'the language alone'],
  ],
  notes: ['To let an editor use it, begin the spec with: # yaml-language-server: $schema=./todo.schema.json'],
}

interface Options {
  readonly out?: string
  readonly watch?: true
}

/** `specwright schema [SPEC]`: the JSON Schema with which an editor completes a spec. */
export function schemaCommand(terminal: Terminal, setExitCode: (code: ExitCode) => void): Command {
  return new Command('schema')
    .summary('print the JSON Schema of specs, for an editor')
    .description(
      'Prints the JSON Schema of the spec language. With a spec, an editor also offers the types, query options, errors, scopes and operations that the spec declares. The spec may have errors.',
    )
    .argument('[spec]', 'a YAML file, whose names the editor offers')
    .option('--out <file>', 'the file to write (default: standard output)')
    .option('--watch', 'write the file again whenever the spec changes')
    .addHelpText('after', helpFooter(terminal, help))
    .action(async (spec: string | undefined, options: Options) => setExitCode(await schema(terminal, spec, options)))
}

async function schema(terminal: Terminal, spec: string | undefined, { out, watch }: Options): Promise<ExitCode> {
  if (out === '') throw new UsageError('--out is empty. Name the file for the schema.')
  if (watch && (spec === undefined || out === undefined)) {
    throw new UsageError('--watch needs a spec and a file: specwright schema spec.yaml --out spec.schema.json --watch')
  }
  const { editorSchema } = await import('../../spec/language/index.js')
  if (spec === undefined) return write(terminal, out, jsonText(editorSchema()))
  const first = await writeFor(terminal, spec, out)
  if (out !== undefined && first.code === exitCode.done) suggestComment(terminal, spec, out, first.source)
  if (!watch || out === undefined) return first.code
  return watchSpec(terminal, spec, first.files, () => writeFor(terminal, spec, out))
}

/** The exit code, and the files that the schema depends on. */
interface Written {
  readonly code: ExitCode
  readonly files: readonly string[]
  readonly source: LoadedSpec['source']
}

async function writeFor(terminal: Terminal, spec: string, out: string | undefined): Promise<Written> {
  const { editorSchema } = await import('../../spec/language/index.js')
  const { source, diagnostics } = await loadSpec(terminal, spec)
  const files = [spec, ...(source.includedPaths ?? [])].map(path => resolve(terminal.cwd, path))
  if (source.document === undefined) {
    writeDiagnostics(terminal, 'err', undefined, diagnostics, [source])
    return { code: exitCode.specErrors, files, source }
  }
  const code = await write(terminal, out, jsonText(editorSchema(source.document)))
  return { code, files, source }
}

/** Says how the spec refers to the schema, unless it does. */
function suggestComment(terminal: Terminal, spec: string, out: string, { text }: LoadedSpec['source']): void {
  const path = relative(dirname(resolve(terminal.cwd, spec)), resolve(terminal.cwd, out)).replaceAll('\\', '/')
  const comment = `# yaml-language-server: $schema=${path.startsWith('.') ? path : `./${path}`}`
  if (text.includes(comment)) return
  const present = /^# yaml-language-server: \$schema=.*$/m.exec(text)?.[0]
  const action = present === undefined ? `begin ${spec} with` : `replace the line ${present} in ${spec} with`
  terminal.err(`To let your editor use it, ${action}\n  ${comment}`)
}

/** Writes the schema. A file that is not such a schema stays. */
async function write(terminal: Terminal, out: string | undefined, text: string): Promise<ExitCode> {
  const { editorSchemaMark } = await import('../../spec/language/index.js')
  await writeDocument(terminal, out, text, before => before.slice(0, 1000).includes(editorSchemaMark))
  return exitCode.done
}

async function watchSpec(
  terminal: Terminal,
  spec: string,
  first: readonly string[],
  again: () => Promise<Written>,
): Promise<ExitCode> {
  const { watchFiles } = await import('../../generator/index.js')
  let files = first
  return new Promise<ExitCode>((done, broken) => {
    const changed = async (): Promise<void> => {
      files = (await again()).files
    }
    watchFiles(() => files, changed, broken).then(watching => {
      terminal.err(`Watching ${spec} for changes. Press Ctrl-C to stop.`)
      void terminal.stopped().then(() => {
        watching.stop()
        done(exitCode.done)
      })
    }, broken)
  })
}
