import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { Option } from 'commander'
import { isFileSystemError, writeFailureMessage } from '../generator/index.js'
import {
  type Diagnostic,
  type DiagnosticFormat,
  diagnosticFormats,
  formatDiagnostics,
  visibleLines,
  wrapText,
} from '../spec/language/index.js'
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

/**
 * Writes a document to a file, or without one to standard output. Overwrites a file only if an earlier run wrote it.
 *
 * @param out the file, as the user wrote it
 * @param isOurs whether a text in the file is from an earlier run
 * @throws UsageError if the file is another one, or cannot be written
 */
export async function writeDocument(
  terminal: Terminal,
  out: string | undefined,
  text: string,
  isOurs: (before: string) => boolean,
): Promise<void> {
  if (out === undefined) {
    terminal.document(text)
    return
  }
  const path = resolve(terminal.cwd, out)
  try {
    const before = existsSync(path) ? await readFile(path, 'utf8') : ''
    if (before !== '' && !isOurs(before)) {
      throw new UsageError(`${out} was not written by this command, and was not changed. Name another file.`)
    }
    if (before === text) return
    await writeFile(path, text)
  } catch (error) {
    throw unwritableFileError(out, error) ?? error
  }
  terminal.err(`Wrote ${displayPath(terminal.cwd, path)}.`)
}

/** The exit codes of the process. */
export const exitCode = {
  done: 0,
  /** The spec has errors. */
  specErrors: 1,
  /** The service violates a rule. */
  violations: 1,
  /** The command line, the configuration, or a file that it names cannot be used. */
  usage: 2,
  /** `--check` found stale, missing or edited output. */
  stale: 3,
  /** The service does not respond, or refuses the credential. */
  unreachable: 3,
  /** Too little of the service could be checked. */
  insufficientCoverage: 4,
  /** The list of known failures is out of date. */
  staleFailures: 5,
  /** A bug in Specwright itself. */
  bug: 70,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]

/** The command line, or a file it names, cannot be used: exit code 2. The message says what to do instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The process, or the system, has no file descriptor left. */
export function isOutOfFileDescriptors(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EMFILE' || code === 'ENFILE'
}

/** What to do then. */
export const outOfFileDescriptors =
  'The process may not open more files. Raise the limit: ulimit -n 1024. `serve` needs a file descriptor for each connection as well.'

/** The text before exit 70: the stack, and how to report it. */
export function bugReport(error: unknown, version: string): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return [
    'This is a bug in Specwright, not in your spec.',
    '',
    visibleLines(stack),
    '',
    `specwright ${version}, node ${process.version}, ${process.platform} ${process.arch}`,
    'Please report it with the text above, the command line, and if you can the spec that caused it:',
    'see "Reporting a bug" in docs/command-line.md of the package.',
  ].join('\n')
}

/**
 * Handles errors of the output streams. If the reader closes early (`specwright export … | head`), the rest of the output
 * is dropped, the exit code does not change, and a service goes on. Any other error, such as a full disk, ends the process.
 *
 * @param exit ends the process
 */
export function handleOutputErrors(out: Writable, err: Writable, exit: (code: ExitCode) => void): void {
  out.on('error', (error: Error) => {
    if (isClosed(error)) return
    err.write(`error: standard output cannot be written: ${visibleLines(error.message)}\n`)
    exit(exitCode.usage)
  })
  err.on('error', (error: Error) => {
    if (!isClosed(error)) exit(exitCode.usage)
  })
}

const isClosed = (error: Error): boolean => 'code' in error && error.code === 'EPIPE'

/** The text below the options of a command. */
export interface HelpFooter {
  /** Command lines, each with an optional explanation. */
  readonly examples: readonly (string | readonly [line: string, about: string])[]
  /** Paragraphs below the examples. */
  readonly notes?: readonly string[]
}

/** Fits the text to the width of the terminal. Lines break between words, and each example can be copied. */
export function helpFooter(terminal: Pick<Terminal, 'columns'>, { examples, notes = [] }: HelpFooter): () => string {
  return () => {
    const { columns } = terminal
    const pairs = examples.map(each => (typeof each === 'string' ? ([each, ''] as const) : each))
    const longest = Math.max(...pairs.map(([line, about]) => (about === '' ? 0 : line.length)))
    const fits = pairs.every(([, about]) => about === '' || longest + about.length + 4 <= columns)
    const lines = pairs.flatMap(([line, about]) => {
      if (about === '') return command(line, columns)
      if (fits) return [`  ${line.padEnd(longest)}  ${about}`]
      return [...command(line, columns), ...wrapText(about, columns - 6).map(text => `      ${text}`)]
    })
    const paragraphs = notes.map(note => wrapText(note, columns).join('\n'))
    return [['', 'Examples:', ...lines].join('\n'), ...paragraphs].join('\n\n')
  }
}

/** A command line, continued on further lines with the syntax of a shell. */
function command(line: string, columns: number): readonly string[] {
  const [first = '', ...more] = wrapText(line, columns - 8)
  const lines = [`  ${first}`, ...more.map(text => `      ${text}`)]
  return lines.map((text, index) => (index < lines.length - 1 ? `${text} \\` : text))
}
