export { emitCsdlJson } from './emit/csdl/emit-csdl-json.js'
export { emitCsdlXml } from './emit/csdl/emit-csdl-xml.js'
export { emitJsonSchema } from './emit/json-schema/emit-json-schema.js'
export { emitOpenapi } from './emit/openapi/emit-openapi.js'
export { type Generated, generate, type SpecText } from './generate.js'
export type { GenerateOptions, RuntimeLayout } from './generate-options.js'
export {
  type ArtefactName,
  artefactNames,
  defaultArtefacts,
  type ImportExtension,
  importExtensions,
} from './generate-options.js'
export type { GeneratedFile } from './generated-file.js'
export type { ImportStage } from './import/derived/document.js'
export { importCsdl, importMetadata } from './import/import-csdl.js'
export type { RuntimePart } from './vendor/runtime-files.js'
export { partsOf } from './vendor/runtime-files.js'
export { planDiff } from './write/diff.js'
export { isFileSystemError, writeFailureMessage } from './write/file-system.js'
export type { Plan, PlannedFile } from './write/plan.js'
export { type Counts, countFiles, type StaleFile, staleFiles } from './write/plan.js'
export { type OutputOptions, type PlannedOutput, planOutput } from './write/plan-output.js'
export type { Watch } from './write/watch.js'
export { watchFiles } from './write/watch.js'
export { writeOutput } from './write/write-plan.js'
