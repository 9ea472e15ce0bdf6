// Generate in memory.

export type { Config, ConfigService, Format } from './config.js'
export { type Generated, generate, type SpecText } from './generate.js'
export {
  type ArtefactName,
  artefactNames,
  defaultArtefacts,
  type EmittedFile,
  type Emitter,
  type EmitterContext,
  type ExactNumbers,
  exactNumbersTypes,
  type GenerateOptions,
  type ImportExtension,
  importExtensions,
  type RuntimeLayout,
} from './generate-options.js'
export { type GeneratedFile, isOwned } from './generated-file.js'
export { replaceTemplates, type Templates, type TemplateText } from './text/render-template.js'

// Generate into a folder.

export { partsOf, type RuntimePart } from './vendor/runtime-files.js'
export { isFileSystemError, writeFailureMessage } from './write/file-system.js'
export {
  type Counts,
  countFiles,
  type Plan,
  type PlannedFile,
  planDiff,
  type StaleFile,
  staleFiles,
  writeOutput,
} from './write/plan.js'
export {
  FormatFailure,
  type FormatFile,
  type OutputOptions,
  type PlannedOutput,
  planOutput,
} from './write/plan-output.js'
export { type Watch, watchFiles } from './write/watch.js'

// Export a spec to other formats, and import it from them.

export { emitCsdlJson } from './emit/csdl/emit-csdl-json.js'
export { emitCsdlXml } from './emit/csdl/emit-csdl-xml.js'
export { emitJsonSchema } from './emit/json-schema/structured-schema.js'
export { emitOpenapi } from './emit/openapi/emit-openapi.js'
export { longNumbers } from './emit/types/value-types.js'
export type { ImportOptions, ImportStage } from './import/derived/document.js'
export { importMetadata } from './import/import-metadata.js'
export { clientFactory } from './names/decide-names.js'
