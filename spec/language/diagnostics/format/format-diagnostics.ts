import type { Diagnostic } from '../diagnostic.js'
import { formatGithub } from './format-github.js'
import { formatJson } from './format-json.js'
import { formatPlain } from './format-plain.js'
import { formatPretty } from './format-pretty.js'

/** The ways in which diagnostics can be written. */
export const diagnosticFormats = ['pretty', 'plain', 'json', 'github'] as const

/** One of {@link diagnosticFormats}. */
export type DiagnosticFormat = (typeof diagnosticFormats)[number]

export interface FormatOptions {
  readonly format: DiagnosticFormat
  /** The files that the diagnostics are about; `pretty` shows their lines. */
  readonly sources?: Iterable<{ readonly path: string; readonly text: string }>
  /** For `pretty`. Default: no. */
  readonly colour?: boolean
  /** Columns, for `pretty`. Default: 100. */
  readonly width?: number
  /** Messages are broken at blanks to fit into the width, for `pretty`. Default: no. */
  readonly wrapped?: boolean
}

/**
 * Writes diagnostics. Text from the spec cannot reach the terminal unescaped.
 *
 * @returns lines without a line break at the end; empty for no diagnostics, but for `json`, which gives `[]`
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], options: FormatOptions): string {
  switch (options.format) {
    case 'plain':
      return formatPlain(diagnostics)
    case 'json':
      return formatJson(diagnostics)
    case 'github':
      return formatGithub(diagnostics)
    case 'pretty': {
      const texts = new Map([...(options.sources ?? [])].map(({ path, text }) => [path, text]))
      return formatPretty(diagnostics, {
        texts,
        colour: options.colour ?? false,
        width: options.width ?? 100,
        wrapped: options.wrapped ?? false,
      })
    }
  }
}
