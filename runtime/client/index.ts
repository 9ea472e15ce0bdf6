export { type BatchOperation, type BatchOptions, batch } from './batch.js'
export type { CanonicalFunctions } from './canonical-functions.js'
export { type ComputingGetOperation, type ComputingListOperation, computingGet, computingList } from './compute.js'
export {
  type ApiPromise,
  type ClientOptions,
  type Connection,
  connect,
  type Fetch,
  type HttpRequest,
  type Interceptor,
  type JsonFormat,
  type Result,
} from './connection.js'
export type { AnyRow, BaseShape, EntityShape, Row, Target, ToMany, ToOne, WithCasts } from './entity-shape.js'
export { type ErrorDetail, ServiceError, type Undeclared } from './errors.js'
export { bigIntJson, exactNumbers, type Int64Members } from './exact-numbers.js'
export type { Arithmetic, Expression, Filter, FilterBuilder, OfferedFilterBuilder } from './filter.js'
export type {
  OmittingGetOperation,
  OmittingListOperation,
  PolymorphicOmittingGetOperation,
  PolymorphicOmittingListOperation,
} from './omit-values.js'
export {
  type ActionOperation,
  action,
  type CountOperation,
  type CreateOperation,
  callFunction,
  count,
  create,
  type DeleteOperation,
  type FunctionOperation,
  type GetOperation,
  get,
  type PolymorphicGetOperation,
  parameterlessAction,
  remove,
  resource,
  type UpdateOperation,
  update,
} from './operations.js'
export {
  type Changed,
  type DeltaOperation,
  type DeltaPage,
  delta,
  type ListOperation,
  list,
  type Page,
  type Paged,
  type PolymorphicDeltaOperation,
  type PolymorphicListOperation,
  type Removed,
} from './paging.js'
export {
  binary,
  date,
  dateTimeOffset,
  duration,
  guid,
  inline,
  keyPredicate,
  type LiteralFormat,
  type LiteralFormats,
  number,
  type PathTemplate,
  quoted,
  segment,
  timeOfDay,
} from './path.js'
export {
  type LinkOperation,
  type LinksOperation,
  link,
  links,
  type PropertyOperation,
  type PropertyResource,
  property,
  type ReadStreamOperation,
  readStream,
  type StreamSource,
  type WriteStreamOperation,
  writeStream,
} from './properties.js'
export { type BoundFunction, boundFunction, type UnboundFunction, unboundFunction } from './query-functions.js'
export type {
  CapabilityTypes,
  ChangeOptions,
  Compute,
  Expand,
  ExpressionBuilder,
  NewItem,
  Prefer,
  QueryOptionName,
  QueryOptions,
  RequestOptions,
  RequiredHeaders,
  SearchTerms,
  SearchWords,
  Select,
  TaggedChangeOptions,
  TaggedUpsertOptions,
  UpsertOptions,
} from './query-options.js'
export { type AsyncOptions, respondingAsync } from './responding-async.js'
export { type RetryOptions, retrying } from './retrying.js'
export {
  type AggregatingListOperation,
  aggregatingList,
  type Transformations,
  type Transformed,
} from './transformations.js'
