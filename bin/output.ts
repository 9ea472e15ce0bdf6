import { relative } from 'node:path'
import { Option } from 'commander'
import { isFileSystemError, writeFailureMessage } from '../generator/index.js'
import {
  type Diagnostic,
  type DiagnosticFormat,
  diagnosticFormats,
  formatDiagnostics,
  visibleLines,
} from '../spec/language/index.js'
import { UsageError } from './exit-code.js'
import type { Terminal } from './terminal.js'

/** The format of errors, for every command that reads a spec. */
export function formatOption(flags = '--format <format>'): Option {
  return new Option(flags, 'format of errors (default: pretty on a terminal, otherwise plain)').choices([
    ...diagnosticFormats,
  ])
}

/** The stream for diagnostics: `out` if they are the result of the command, otherwise `err`. */
type DiagnosticStream = 'out' | 'err'

/** Writes diagnostics to a stream of the terminal. Without diagnostics only `json` writes something. */
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

/** `--json`: the command writes exactly one JSON document to standard output, also when it fails. */
export function jsonOption(about: string): Option {
  return new Option('--json', `${about} as JSON on standard output, for programs`)
}

/** A value as a JSON document, in which hidden characters are escapes, and a line end. */
export function jsonText(value: unknown): string {
  return `${visibleLines(JSON.stringify(value, undefined, 2))}\n`
}

/** Writes the document of `--json`. */
export function writeJson(terminal: Terminal, document: unknown): void {
  terminal.out(jsonText(document).trimEnd())
}

/** Diagnostics as `--format json` writes them, as part of a document. */
export function diagnosticsToJson(diagnostics: readonly Diagnostic[]): unknown {
  return JSON.parse(formatDiagnostics(diagnostics, { format: 'json' }))
}

/** `1 error`, `2 errors`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** A path relative to the current folder, which itself is `.` */
export function displayPath(cwd: string, path: string): string {
  return relative(cwd, path) || '.'
}

/** A path for a shell command: quoted where needed, and never mistaken for an option. */
export function shellQuote(path: string): string {
  const plain = path.startsWith('-') ? `./${path}` : path
  if (/^[\w@%+=:,./-]+$/.test(plain)) return plain
  // Double quotes are those of cmd.exe, too; within them, sh still reads these.
  if (!/["$`\\!%]/.test(plain)) return `"${plain}"`
  return `'${plain.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * The error for a file that cannot be written. Undefined if it is no file system error.
 *
 * @param shown the file, as the user wrote it
 */
export function unwritableFileError(shown: string, error: unknown): UsageError | undefined {
  return isFileSystemError(error) ? new UsageError(writeFailureMessage(shown, 'file', error)) : undefined
}
