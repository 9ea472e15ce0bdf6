import type { Service } from '../../spec/language/model/index.js'
import type { NameTable } from '../names/name-table.js'

/** What every emitter is given. */
export interface EmitContext {
  readonly service: Service
  readonly names: NameTable
  /** What a generated file imports another by, of `./types.js`. */
  readonly ownPath: (file: string) => string
  /** What generated files import a module of the runtime by, `server/call.js`. */
  readonly importPath: (module: string) => string
}
