import type { ArtefactName } from './artefact-name.js'

/** What to generate, and on what it stands. */
export interface GenerateOptions {
  /** Default: types, client, server, OpenAPI and CSDL. A client or a server brings the types that it needs. */
  readonly only?: readonly ArtefactName[] | undefined
  /**
   * Where generated files import the runtime from: a path relative to the output folder, `../../runtime`, or a package.
   * By default the runtime files that are needed are copied beside the output, so that it stands alone.
   */
  readonly runtime?: string | undefined
}
