import { Option } from 'commander'
import { type Diagnostic, formatDiagnostics } from '../../spec/language/index.js'
import type { Terminal } from '../terminal.js'

/** `--json`: standard output gets one JSON document and nothing else, whatever comes of the command. */
export function jsonOption(about: string): Option {
  return new Option('--json', `${about} as JSON on standard output, for programs`)
}

/** Writes the one document that `--json` asks for. */
export function writeJson(terminal: Terminal, document: unknown): void {
  terminal.out(JSON.stringify(document, undefined, 2))
}

/** Diagnostics as `--format json` writes them, as part of a document. */
export function jsonOf(diagnostics: readonly Diagnostic[]): unknown {
  return JSON.parse(formatDiagnostics(diagnostics, { format: 'json' }))
}
