export type * from './diagnostics/diagnostic.js'
export {
  type DiagnosticFormat,
  diagnosticFormats,
  type FormatOptions,
  formatDiagnostics,
} from './diagnostics/format/format-diagnostics.js'
export { sortDiagnostics } from './diagnostics/sort-diagnostics.js'
export { suggest } from './diagnostics/suggest.js'
export type * from './document/index.js'
export { type Loaded, loadSpec, loadSpecText } from './load.js'
export { type MeaningText, meaningText } from './meaning-text.js'
export * from './model/index.js'
export type { Source } from './source/source.js'
