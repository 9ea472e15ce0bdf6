import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExitCode } from '../output.js'
import { run } from '../run.js'
import type { Terminal } from '../terminal.js'
import { temporaryFolders } from './temporary-folder.js'

/** What a command line printed, and how it ended. */
interface Ran {
  readonly code: ExitCode
  readonly out: string
  readonly err: string
}

/** Runs a command line in this process, in a folder, on a fake terminal. */
export async function runCommand(cwd: string, ...args: readonly string[]): Promise<Ran> {
  const { terminal, out, err } = testTerminal(cwd)
  const before = process.cwd()
  process.chdir(cwd)
  try {
    const code = await run(args, terminal, '1.2.3')
    return { code, out: out.join('\n'), err: err.join('\n') }
  } finally {
    process.chdir(before)
  }
}

/** A fake terminal, in a folder, and its output. */
interface TestTerminal {
  readonly terminal: Terminal
  readonly out: readonly string[]
  readonly err: readonly string[]
}

/** `interactive` is false, and `stopped` resolves at once. */
export function testTerminal(cwd: string, input = ''): TestTerminal {
  const out: string[] = []
  const err: string[] = []
  const terminal: Terminal = {
    cwd,
    out: line => void out.push(line),
    document: text => void out.push(text.replace(/\n$/, '')),
    err: line => void err.push(line),
    message: message => void err.push(message),
    status: () => {},
    input: async function* () {
      yield Buffer.from(input)
    },
    colour: { out: false, err: false },
    interactive: false,
    columns: 80,
    now: () => 0,
    stopped: () => Promise.resolve(),
  }
  return { terminal, out, err }
}

/** A valid spec with one resource. */
export const notesSpec = `specwright: 1
service: { name: notes, version: v1 }
resources:
  note: { kind: entityType, key: [id], properties: { id: { type: String, computed: true }, text: { type: String } } }
container: { notes: { entitySet: note } }
paths:
  /notes: { get: { returns: collection } }
errors: {}
`

/** Folders to generate in, removed after each test. */
interface NotesProject {
  /** A new folder with a spec in it, `spec.yaml`. */
  project(text?: string): string
  /** Generates from that spec into `out/`. */
  generate(path: string, ...args: readonly string[]): Promise<Ran>
}

export function notesProject(): NotesProject {
  const folder = temporaryFolders()
  return {
    project: (text = notesSpec) => {
      const path = folder()
      writeFileSync(join(path, 'spec.yaml'), text)
      return path
    },
    generate: (path, ...args) => runCommand(path, 'generate', 'spec.yaml', '--out', 'out', ...args),
  }
}

/** The files below a folder; empty if it does not exist. */
export function filesIn(path: string): readonly string[] {
  if (!existsSync(path)) return []
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(file => statSync(join(path, file)).isFile())
}
