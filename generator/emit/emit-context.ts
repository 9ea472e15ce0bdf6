import type { Service } from '../../spec/language/index.js'
import type { NameTable } from '../names/name-table.js'
import type { Scope } from '../text/file-scope.js'

/** What every emitter is given. */
export interface EmitContext {
  readonly service: Service
  readonly names: NameTable
  /** What a generated file imports another by, of `./types.js`. */
  readonly ownPath: (file: string) => string
  /** What generated files import a module of the runtime by, `server/call.js`. */
  readonly importPath: (module: string) => string
}

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
