export { canonicalFunctions, transformationNames } from '../../runtime/query/index.js'
export { checkService } from './checks/check-service.js'
export type * from './diagnostics/diagnostic.js'
export type { Problem } from './diagnostics/diagnostic.js'
export { limitDiagnostics, sortDiagnostics } from './diagnostics/diagnostic.js'
export {
  type DiagnosticFormat,
  diagnosticFormats,
  type FormatOptions,
  formatDiagnostics,
} from './diagnostics/format-diagnostics.js'
export { suggest } from './diagnostics/suggest.js'
export { terminalText, visibleLines, visibleText, wrapText } from './diagnostics/terminal-text.js'
export type * from './document.js'
export { featureNames } from './document.js'
export { type LoadedSpec, loadSpec, loadSpecText } from './load.js'
export type {
  Annotations,
  Assumption,
  CallEndpoint,
  ComplexType,
  Condition,
  ContainerElement,
  CreateEndpoint,
  Endpoint,
  EntityType,
  EnumType,
  ErrorDefinition,
  Facets,
  FilterCapabilities,
  NavigationProperty,
  OpenChoice,
  Operation,
  Path,
  PathKey,
  Preference,
  PrimitiveTypeName,
  Property,
  QueryCapabilities,
  ReadEndpoint,
  ResolvedSegment,
  ReturnType,
  Service,
  StructuredType,
  Support,
  TypeDefinition,
  UpdateEndpoint,
  ValueType,
} from './model/index.js'
export * from './model/index.js'
export { type MeaningText, meaningText } from './model/operation.js'
export {
  derivesFrom,
  integerRange,
  isIntegerType,
  isNumericType,
  isPrimitiveTypeName,
  kindOfPrimitive,
  safeIntegerRange,
} from './model/types.js'
export { record } from './record.js'
export { endpointName, parseTemplate } from './resolve/path-template.js'
export { resolveService } from './resolve/resolve-service.js'
export { checkShape } from './shape/check-shape.js'
export { languageSchema } from './shape/schema.js'
export { coreScalar } from './source/core-scalar.js'
export { omitPointers, pointerKeys, pointerTo } from './source/json-pointer.js'
export { forbiddenCharacter, readSource } from './source/parse-source.js'
export { maxFileBytes, readStream, readText } from './source/read-text.js'
export type { Source } from './source/source.js'
export { lineIndex, locate } from './source/source.js'
export { changesOfList, handlerErrors } from './table/routes.js'
export { buildServiceTable } from './table/service-table.js'
export type { ServiceTableData } from './table/table-data.js'
export { buildTypeTable, typeName } from './table/type-table.js'
