export { type ActionOperation, action, parameterlessAction } from './action.js'
export type { ApiPromise, Result } from './api-promise.js'
export { callFunction, type FunctionOperation } from './call-function.js'
export type { CanonicalFunctions } from './canonical-functions.js'
export type { CapabilityTypes, QueryOptionName } from './capability-types.js'
export type { Conditions } from './conditions.js'
export {
  type ClientOptions,
  type Connection,
  connect,
  type Fetch,
  type HttpRequest,
  type Interceptor,
} from './connection.js'
export { type CountOperation, count } from './count.js'
export { type CreateOperation, create } from './create.js'
export { type Changed, type DeltaOperation, type DeltaPage, delta, type Removed } from './delta.js'
export type { EntityShape, Target, ToMany, ToOne } from './entity-shape.js'
export type { Expression, Filter, FilterBuilder } from './filter-builder.js'
export { type GetOperation, get } from './get.js'
export { inline } from './inline.js'
export { type ListOperation, list } from './list.js'
export { type LiteralFormat, type LiteralFormats, quoted } from './literal.js'
export { binary, date, dateTimeOffset, duration, guid, number, timeOfDay } from './literal-formats.js'
export type { Page, Paged } from './paged.js'
export { type PathTemplate, segment } from './path-template.js'
export type { Expand, QueryOptions, Select } from './query-options.js'
export { type DeleteOperation, remove } from './remove.js'
export type { ChangeOptions, Prefer, RequestOptions, TaggedChangeOptions } from './request-options.js'
export { type RetryOptions, retrying } from './retrying.js'
export type { Row } from './row.js'
export type { SearchTerms, SearchWords } from './search.js'
export { type ErrorDetail, ServiceError, type Undeclared } from './service-error.js'
export { type UpdateOperation, update } from './update.js'
