import type { ComplexType, EntityType, EnumType, Service, TypeDefinition } from '../spec/language/index.js'

/** An emitter of your own: a pure function from the model of a service to files. */
export interface Emitter {
  /** Its name in messages. */
  readonly name: string
  /** Returns the files, with their ownership marker. It must return the same for the same service on every machine. */
  readonly emit: (service: Service, context: EmitterContext) => readonly EmittedFile[]
}

/** What an emitter knows besides the service. */
export interface EmitterContext {
  /**
   * The ownership marker, as the first line of a file of that name: `generate` overwrites and deletes only files with it. For
   * JSON, which has no comments, write {@link EmitterContext.note} as the member `$comment` at the start of the document.
   *
   * @throws TypeError for an extension whose comments Specwright does not know
   */
  readonly header: (path: string) => string
  /** The text of the marker. */
  readonly note: string
  /** The name of a type in `types.ts`. */
  readonly typeName: (type: EntityType | ComplexType | EnumType | TypeDefinition) => string
  /** How generated code imports another generated file: `importPath('./types.js')` has the extension that you chose. */
  readonly importPath: (specifier: string) => string
}

/** A file of an emitter. */
export interface EmittedFile {
  /** Relative to the output folder, `/` between segments. */
  readonly path: string
  readonly text: string
  /** `once`: written if it does not exist, then it belongs to the user, and needs no marker. Default: `generated`. */
  readonly kind?: 'generated' | 'once' | undefined
}
