import type { Service } from '../../spec/language/model/index.js'
import type { NameTable } from '../names/name-table.js'

/** What every emitter is given. */
export interface EmitContext {
  readonly service: Service
  readonly names: NameTable
  /** Where generated files find the runtime: `./runtime` beside them, or a path of the user's, without a slash at the end. */
  readonly runtime: string
}
