import { relative } from 'node:path'
import { Option } from 'commander'
import { isFileSystemError, writeFailureMessage } from '../generator/index.js'
import { type Diagnostic, type DiagnosticFormat, diagnosticFormats, formatDiagnostics } from '../spec/language/index.js'
import { UsageError } from './exit-code.js'
import type { Terminal } from './terminal.js'

/** How errors are written: the same choice for every command that reads a spec. */
export function formatOption(flags = '--format <format>'): Option {
  return new Option(flags, 'how errors are written (default: pretty on a terminal, otherwise plain)').choices([
    ...diagnosticFormats,
  ])
}

/** Where diagnostics go: `out` when they are what was asked for, `err` when something else is. */
type DiagnosticStream = 'out' | 'err'

/** Writes diagnostics to one of the terminal's streams; nothing when there are none, unless the format says otherwise. */
export function writeDiagnostics(
  terminal: Terminal,
  stream: DiagnosticStream,
  format: DiagnosticFormat | undefined,
  diagnostics: readonly Diagnostic[],
  sources: readonly { readonly path: string; readonly text: string }[],
): void {
  const text = formatDiagnostics(diagnostics, {
    format: format ?? (terminal.interactive ? 'pretty' : 'plain'),
    sources,
    colour: terminal.colour[stream],
    width: terminal.columns,
    wrapped: terminal.interactive,
  })
  if (text !== '') terminal[stream](text)
}

/** Whether any of them is an error. */
export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === 'error')

/** `--json`: standard output gets one JSON document and nothing else, whatever comes of the command. */
export function jsonOption(about: string): Option {
  return new Option('--json', `${about} as JSON on standard output, for programs`)
}

/** Writes the one document that `--json` asks for. */
export function writeJson(terminal: Terminal, document: unknown): void {
  terminal.out(JSON.stringify(document, undefined, 2))
}

/** Diagnostics as `--format json` writes them, as part of a document. */
export function diagnosticsToJson(diagnostics: readonly Diagnostic[]): unknown {
  return JSON.parse(formatDiagnostics(diagnostics, { format: 'json' }))
}

/** `1 error`, `2 errors`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** A path as people write it: from the current folder, which itself is `.` */
export function displayPath(cwd: string, path: string): string {
  return relative(cwd, path) || '.'
}

/** A path as it is written in a command: in quotes where a shell would read it otherwise, and never taken for an option. */
export function shellQuote(path: string): string {
  const plain = path.startsWith('-') ? `./${path}` : path
  if (/^[\w@%+=:,./-]+$/.test(plain)) return plain
  // Double quotes are those of cmd.exe, too; within them, sh still reads these.
  if (!/["$`\\!%]/.test(plain)) return `"${plain}"`
  return `'${plain.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * What to tell when a file that the user named cannot be written; undefined: the error is not the system's.
 *
 * @param shown the file, as it was named
 */
export function unwritableFileError(shown: string, error: unknown): UsageError | undefined {
  return isFileSystemError(error) ? new UsageError(writeFailureMessage(shown, 'file', error)) : undefined
}
