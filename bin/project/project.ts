import type { ArtefactName } from '../../generator/artefact-name.js'

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
  /** A shared copy of the runtime; absent: a copy beside the output. */
  readonly runtime?: string
}
