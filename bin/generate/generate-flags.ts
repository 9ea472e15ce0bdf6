import type { DiagnosticFormat } from '../../spec/language/index.js'

/** What the command line says of one run of `generate`, beside its targets. */
export interface GenerateFlags {
  readonly check?: true
  readonly diff?: true
  readonly dryRun?: true
  readonly addHandlers?: true
  readonly format?: DiagnosticFormat
  readonly json?: true
}
