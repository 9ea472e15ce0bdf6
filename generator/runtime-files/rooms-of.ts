import { type ArtefactName, defaultArtefacts } from '../artefact-name.js'
import type { RuntimeRoom } from './runtime-room.js'

/** The parts of the runtime that the artefacts stand on. */
export function roomsOf(artefacts: readonly ArtefactName[] = defaultArtefacts): readonly RuntimeRoom[] {
  return [
    ...(artefacts.includes('client') ? (['client'] as const) : []),
    ...(artefacts.includes('server') ? (['query', 'server'] as const) : []),
  ]
}
