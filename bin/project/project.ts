import type { ArtefactName } from '../../generator/artefact-name.js'
import type { ImportExtension } from '../../generator/import-extension.js'

/** What `specwright.yaml` says: the services that a project generates. Paths are absolute. */
export interface Project {
  readonly path: string
  readonly services: readonly ProjectService[]
}

export interface ProjectService {
  readonly spec: string
  readonly out: string
  /** Artefacts; absent: all that `generate` emits by default. */
  readonly only?: readonly ArtefactName[]
  /** The folder of a shared runtime, as it was named, or the name of a package; absent: one beside the output. */
  readonly runtime?: string
  /** The runtime beside the output is JavaScript and declarations. */
  readonly compiledRuntime?: boolean
  /** What relative imports in generated code end in; absent: `js`. */
  readonly importExtension?: ImportExtension
}
