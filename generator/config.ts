import type { ArtefactName, Emitter, ExactNumbers, ImportExtension } from './generate-options.js'

export type {
  ComplexType,
  Endpoint,
  EntityType,
  EnumType,
  NavigationProperty,
  Operation,
  Property,
  Service,
  TypeDefinition,
} from '../spec/language/index.js'
export type { EmittedFile, Emitter, EmitterContext } from './generate-options.js'

/** `specwright.config.ts`: how a project generates code. Paths are relative to the file. */
export interface Config {
  /** The services of the project, instead of those in `specwright.yaml`. */
  readonly services?: readonly ConfigService[] | undefined
  /** A folder with templates that replace the built-in ones of the same names. */
  readonly templates?: string | undefined
  /** Emitters of your own. */
  readonly emitters?: readonly Emitter[] | undefined
  /** The formatter of the project, which all generated files go through. */
  readonly format?: Format | undefined
}

/** One service to generate, with the keys of `specwright.yaml`. */
export interface ConfigService {
  readonly spec: string
  readonly out: string
  /** Default: all artefacts but `jsonschema`. */
  readonly only?: readonly ArtefactName[] | undefined
  /** The folder of a shared runtime, or the name of a package; default: a runtime beside the output. */
  readonly runtime?: string | undefined
  /** The runtime beside the output is JavaScript and declarations. */
  readonly compiledRuntime?: boolean | undefined
  /** The extension of relative imports in generated code. */
  readonly importExtension?: ImportExtension | undefined
  /** The TypeScript type of Int64 and Decimal; default: `number`. */
  readonly exactNumbers?: ExactNumbers | undefined
}

/**
 * A formatter: `biome` or `prettier` as the project has installed it, with its configuration; the words of a command that
 * reads a text from standard input and writes the formatted one to standard output, in which `{file}` stands for the path;
 * or a function.
 */
export type Format =
  | 'biome'
  | 'prettier'
  | readonly string[]
  | ((text: string, path: string) => string | Promise<string>)

/** Returns the configuration as it is, and checks its type. */
export const defineConfig = (config: Config): Config => config
