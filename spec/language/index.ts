export { canonicalFunctions, transformationNames } from '../../runtime/query/index.js'
export { checkService } from './checks/check-service.js'
export { isKeyPrimitive } from './checks/keys.js'
export type * from './diagnostics/diagnostic.js'
export { limitDiagnostics, type Problem, sortDiagnostics } from './diagnostics/diagnostic.js'
export {
  type DiagnosticFormat,
  diagnosticFormats,
  type FormatOptions,
  formatDiagnostics,
} from './diagnostics/format-diagnostics.js'
export { suggest } from './diagnostics/suggest.js'
export { terminalText, userError, visibleLines, visibleText, wrapText } from './diagnostics/terminal-text.js'
export type * from './document.js'
export { expandOptionNames, featureNames } from './document.js'
export { installCommand, packageFolder, packageManager } from './installation.js'
export { type LoadedSpec, loadSpec, loadSpecText } from './load.js'
export * from './model/aspects.js'
export type * from './model/service.js'
export * from './model/types.js'
export {
  codeName,
  definitionText,
  derivesFrom,
  integerRange,
  isIntegerType,
  isNumericType,
  isPrimitiveTypeName,
  kindOfPrimitive,
  type MeaningText,
  meaningText,
  safeIntegerRange,
} from './model/types.js'
export { record } from './record.js'
export { byProperties, endpointName, parseTemplate } from './resolve/path-template.js'
export { isSamePath } from './resolve/resolve-path.js'
export { resolveService } from './resolve/resolve-service.js'
export { checkShape } from './shape/check-shape.js'
export { editorSchema, editorSchemaMark } from './shape/editor-schema.js'
export { languageSchema } from './shape/schema.js'
export { omitPointers, pointerKeys, pointerTo } from './source/json-pointer.js'
export { forbiddenCharacter, readSource } from './source/parse-source.js'
export { lineIndex, locate, maxFileBytes, readStream, readText, type Source } from './source/source.js'
export { coreScalar } from './source/yaml-data.js'
export { callableInQueries, functionsInFilters } from './table/query-functions.js'
export { changesOfList, handlerErrors, isUpsert, keyInPath } from './table/routes.js'
export { buildServiceTable } from './table/service-table.js'
export type { ServiceTableData } from './table/table-data.js'
export { buildTypeTable, typeName } from './table/type-table.js'
