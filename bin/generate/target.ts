import type { ArtefactName } from '../../generator/artefact-name.js'
import type { ImportExtension } from '../../generator/import-extension.js'

/** One service to be generated: where from, where to. Both paths are absolute. */
export interface Target {
  readonly spec: string
  readonly out: string
  readonly only?: readonly ArtefactName[] | undefined
  /** The folder of a shared runtime, as it was named, or the name of a package; absent: one beside the output. */
  readonly runtime?: string | undefined
  /** The runtime beside the output is JavaScript and declarations. */
  readonly compiledRuntime?: boolean | undefined
  /** What relative imports in generated code end in; absent: `js`. */
  readonly importExtension?: ImportExtension | undefined
}
