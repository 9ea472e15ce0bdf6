import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ran, runCommand } from './run-command.js'
import { temporaryFolders } from './temporary-folder.js'

/** A sound spec of one resource. */
export const notesSpec = `specwright: 1
service: { name: notes, version: v1 }
resources:
  note: { kind: entityType, key: [id], properties: { id: { type: String, computed: true }, text: { type: String } } }
container: { notes: { entitySet: note } }
paths:
  /notes: { get: { returns: collection } }
errors: {}
`

/** Folders to generate in; they are gone after each test. */
export interface NotesProject {
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

/** The files below a folder; none where there is no such folder. */
export function filesIn(path: string): readonly string[] {
  if (!existsSync(path)) return []
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(file => statSync(join(path, file)).isFile())
}
