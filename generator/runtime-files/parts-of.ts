import { type ArtefactName, defaultArtefacts } from '../artefact-name.js'
import { type RuntimePart, runtimeParts } from './runtime-part.js'

/** The parts of the runtime that the artefacts stand on: each on the one of its name. */
export function partsOf(artefacts: readonly ArtefactName[] = defaultArtefacts): readonly RuntimePart[] {
  return runtimeParts.filter(part => artefacts.includes(part))
}
