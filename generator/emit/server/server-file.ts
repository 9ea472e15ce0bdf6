import type { NameTable } from '../../names/name-table.js'
import type { Scope } from '../../text/scope.js'

/** `server.ts` while it is put together: what it declares and imports so far. */
export interface ServerFile {
  readonly names: NameTable
  readonly scope: Scope
  /** The type parameter for what handlers are given beside the request. */
  readonly context: string
  /** Refers to a type of `types.ts`. */
  readonly typeReference: (name: string) => string
  /** Refers to a type of the runtime, in the module `<module>.js`. */
  readonly runtimeType: (name: string, module: string) => string
}
