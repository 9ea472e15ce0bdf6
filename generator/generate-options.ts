import type { ArtefactName } from './artefact-name.js'
import type { ImportExtension } from './import-extension.js'
import type { RuntimeLayout } from './runtime-files/runtime-layout.js'

/** What to generate, and on what it stands. */
export interface GenerateOptions {
  /** Default: types, client, server, OpenAPI and CSDL. A client or a server brings the types that it needs. */
  readonly only?: readonly ArtefactName[] | undefined
  /**
   * Where generated files import the runtime from: a path relative to the output folder, or a package. By default what is
   * needed of the runtime is put beside the output, so that it stands alone.
   */
  readonly runtime?: string | undefined
  /**
   * How the runtime at that place is divided; default: `modules`, as in the package. That of another output,
   * `../other/runtime`, has `parts`.
   */
  readonly runtimeLayout?: RuntimeLayout | undefined
  /**
   * The runtime is JavaScript and declarations instead of TypeScript: that which is put beside the output, or which
   * `runtime` leads to. It need not be checked with the rest then, but a compiler does not copy JavaScript to its output
   * folder: for code that is bundled, or run as it is.
   */
  readonly compiledRuntime?: boolean | undefined
  /** What relative imports in generated code end in; default: `js`. */
  readonly importExtension?: ImportExtension | undefined
}
