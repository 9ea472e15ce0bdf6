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
   * The layout of the runtime at that location. Default: `entrances` for a package, `modules` for a path. The runtime of
   * another output, `../other/runtime`, has `parts`.
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

/** What can be generated from a spec. */
export const artefactNames = ['types', 'client', 'server', 'openapi', 'csdl', 'jsonschema'] as const

export type ArtefactName = (typeof artefactNames)[number]

/** What is generated unless it is said otherwise. */
export const defaultArtefacts: readonly ArtefactName[] = ['types', 'client', 'server', 'openapi', 'csdl']

/** What relative imports in generated code may end in. */
export const importExtensions = ['js', 'ts', 'none'] as const

/**
 * `js` is what a compiler wants that keeps to Node's rules, and every bundler understands that reads TypeScript; `ts` is what
 * runs as it is, without a compiler; `none` is for bundlers that look for `./types.js` in vain.
 */
export type ImportExtension = (typeof importExtensions)[number]

const endings: ReadonlyMap<unknown, string> = new Map([
  ['js', '.js'],
  ['ts', '.ts'],
  ['none', ''],
])

/**
 * A specifier that ends in `.js`, with the extension in place of it.
 *
 * @throws TypeError for another extension, which a caller in JavaScript may give
 */
export function withExtension(specifier: string, extension: ImportExtension): string {
  const ending = endings.get(extension)
  if (ending === undefined) {
    throw new TypeError(
      `importExtension: found ${JSON.stringify(extension)}, expected one of ${importExtensions.join(', ')}`,
    )
  }
  return specifier.replace(/\.js$/, ending)
}

/**
 * How generated code imports the server runtime, for example: `entrances` of a package, `specwright/server`; `modules` of a
 * source folder, `server/index.js`; `parts`, which are one file each, `server.js`.
 */
export type RuntimeLayout = 'entrances' | 'modules' | 'parts'
