import type { ArtefactName } from '../../generator/artefact-name.js'

/** One service to be generated: where from, where to. Paths are absolute. */
export interface Target {
  readonly spec: string
  readonly out: string
  readonly only?: readonly ArtefactName[] | undefined
  /** The folder of a shared runtime, absolute, or the name of a package; absent: one beside the output. */
  readonly runtime?: string | undefined
}
