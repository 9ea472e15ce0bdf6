import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { Source } from './source.js'

/** A source, and what is wrong with it as YAML. */
export interface SourceResult {
  readonly source: Source
  readonly diagnostics: readonly Diagnostic[]
}
