import type { NameTable } from '../../names/name-table.js'
import type { Scope } from '../../text/scope.js'

/** `client.ts` while it is put together: what it declares and imports so far. */
export interface ClientFile {
  readonly names: NameTable
  readonly scope: Scope
  /** Refers to a type of `types.ts`. */
  readonly typeReference: (name: string) => string
  /** Refers to a type of the client's runtime, in the module `client/<module>.js`. */
  readonly runtimeType: (name: string, module: string) => string
  /** Refers to a function of the client's runtime. */
  readonly runtimeValue: (name: string, module: string) => string
  /** Refers to a constant of `literal-formats.ts`. */
  readonly formatsReference: (name: string) => string
}
