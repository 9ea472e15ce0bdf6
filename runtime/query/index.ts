// The query language: parse, print, bind and evaluate OData query options.

export {
  type ApplyOptions,
  applyQuery,
  type Item,
  matchingItems,
  type QueryResult,
  withComputed,
  withExpandedItems,
} from './apply-query.js'
export type * from './ast.js'
export {
  type BindingError,
  type BindingErrorCode,
  type BindingScope,
  type CollectionType,
  describeType,
  type FunctionSignature,
  type SingleType,
  type StaticType,
  type ValueSignature,
} from './binding/context.js'
export { type BoundExpression, bindExpression, bindQuery, computedTypes } from './binding/query.js'
export type * from './capabilities/capabilities.js'
export type { UnsupportedConstruct } from './capabilities/capabilities.js'
export {
  checkCapabilities,
  namedRelations,
  type PropertyTerm,
  propertyTerm,
} from './capabilities/check-capabilities.js'
export { constructsOf, unmetConditions } from './capabilities/check-filter.js'
export { maxNesting, QuerySyntaxError, UnknownQueryOptionError } from './cursor.js'
export type { Json } from './evaluate/conversion.js'
export {
  compareDecimals,
  type Decimal,
  type ExactNumber,
  exactNumber,
  numeral,
  parseScientific,
} from './evaluate/decimal.js'
export { compareValues, evaluate, evaluateFilter, orderRows } from './evaluate/evaluate.js'
export type { EvaluationOptions } from './evaluate/path.js'
export { EvaluationError } from './evaluate/value.js'
export { parseFilter } from './expressions.js'
export { defaultQueryLimits, type ExceededLimit, exceededLimits, type QueryLimits } from './limits.js'
export { parseCompute, parseExpand, parseOrderby, parseSelect } from './options.js'
export { PrintError, printLiteral, printSearch } from './print-context.js'
export { printFilter } from './print-expression.js'
export { printApply, printCompute, printExpand, printOrderby, printQueryOptions, printSelect } from './print-options.js'
export { type ParsedQuery, parseQueryOptions, parseQueryString } from './query-string.js'
export { parseSearch } from './search.js'
export {
  type AnyQueryFunction,
  argumentsByName,
  definitionOf,
  functionNamed,
  type QueryFunction,
  type QueryFunctionCall,
  type ServiceFunction,
  type ServiceFunctions,
} from './service-functions.js'
export { type BoundTransformations, bindTransformations } from './transformations/bind.js'
export { type TransformationParts, transformations } from './transformations/check.js'
export { parseApply, transformationNames } from './transformations/parse.js'
export { groupings, isRowType, keepsItems } from './transformations/rows.js'
export type * from './type-table.js'

// For the other packages of Specwright.

export {
  earthRadius,
  type GeoShape,
  geographyDistance,
  geoLiteral,
  geometryDistance,
  geoShape,
  intersects,
  lineLength,
  type Position,
  wgs84,
} from './evaluate/geo.js'
export { compilePattern, type PatternNode, parsePattern } from './evaluate/pattern.js'
export { defaultPatternSteps, PatternTooSlow, patternMatcher, type StepBudget } from './evaluate/pattern-matcher.js'
export { type CanonicalFunction, canonicalFunctions, functionNames, functionsWith } from './functions.js'
export { dateEnd, dateTimeOffsetEnd, guidEnd, isBinary, isDuration, timeOfDayEnd } from './literal-formats.js'
export { operatorNames } from './operators.js'
export { expectedForm, isExactType, isNumericTypeName, type PrimitiveType, primitiveType } from './primitive-types.js'
export { childExpressions, expressionsIn, pathOfNames, transformationExpressions } from './traversal.js'
export { isSubtype, typeKey } from './type-table.js'
