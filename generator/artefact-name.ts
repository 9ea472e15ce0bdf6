/** What can be generated from a spec. */
export const artefactNames = ['types', 'client', 'server', 'openapi', 'csdl', 'jsonschema'] as const

export type ArtefactName = (typeof artefactNames)[number]

/** What is generated unless it is said otherwise. */
export const defaultArtefacts: readonly ArtefactName[] = ['types', 'client', 'server', 'openapi', 'csdl']
