import { Option } from 'commander'
import {
  type Diagnostic,
  type DiagnosticFormat,
  diagnosticFormats,
  formatDiagnostics,
} from '../../spec/language/index.js'
import type { Terminal } from '../terminal.js'

/** How errors are written: the same choice for every command that reads a spec. */
export function formatOption(flags = '--format <format>'): Option {
  return new Option(flags, 'how errors are written (default: pretty on a terminal, otherwise plain)').choices([
    ...diagnosticFormats,
  ])
}

/** Where diagnostics go: `out` when they are what was asked for, `err` when something else is. */
export type DiagnosticStream = 'out' | 'err'

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
