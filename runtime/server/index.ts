// For services: what a generated server skeleton and its handlers use.

export { transformations } from '../query/index.js'
export { type Batches, type BatchSettings, batches, defaultBatchLimits } from './batch/index.js'
export { createService, type Service, type ServiceParts } from './create-service.js'
export { type ErrorDetail, Failure, type FailureDetails, type FaultDetails, RequestFault } from './errors.js'
export {
  type AnyCall,
  type AnyHandler,
  type BodyAs,
  type Call,
  CompleteResponse,
  CreatedItem,
  type DeepPartial,
  type DeltaResult,
  type HandlerLookup,
  handlersByName,
  type ListResult,
  type MaybePromise,
  notImplemented,
  type Principal,
  type Removable,
  type RequestBody,
  type Row,
} from './handler.js'
export type { RequestHead, ServerRequest, ServerResponse } from './http/message.js'
export { type EntityTag, type EntityTags, includesTag, type Precondition } from './http/preconditions.js'
export type { PreferenceValues } from './http/preferences.js'
export { listRows, type PageRequest } from './list-rows.js'
export {
  fromNodeRequest,
  type NodeListenerOptions,
  type NodeRequest,
  type NodeResponse,
  toNodeListener,
} from './node-adapter.js'
export type { QueryTemplate } from './planning/query-plan.js'
export { propertyTargets } from './property-paths/index.js'
export type {
  Atomically,
  Authenticate,
  BatchLimits,
  ExtraCall,
  ExtraRoute,
  RequiredContext,
  SecuredServiceOptions,
  ServiceOptions,
} from './service-options.js'
export type * from './service-table.js'
export { readServiceTable } from './service-table.js'
export type { ChangedStream, ReadStream, StreamContent } from './streams/stream-content.js'
export { JsonText } from './value/exact-json.js'

// For generic handlers and hosts, such as the reference service.

export { createReadContext, readEntity } from './body/entity-body.js'
export { readRequestBody } from './body/json-body.js'
export { type BoundedMap, boundedCache, boundedMap } from './bounded-cache.js'
export { type MediaType, parseMediaType, splitUnquoted } from './http/media-type.js'
export { isSendable } from './http/message.js'
export { parseEntityTags } from './http/preconditions.js'
export { parsePrefer } from './http/preferences.js'
export { jsonContentType } from './response/json-response.js'
export { omitsKeys } from './response/omitted-keys.js'
export { projectionOf } from './response/projection.js'
export {
  projectionRules,
  type ReturnedProperty,
  returnedProperties,
} from './response/returned-properties.js'
export { splitTarget } from './routing/path.js'
export type { Reference, ResolveReference } from './routing/references.js'
export { structuredType } from './type-lookup.js'
export { parseExactJson, parseJsonText, printJson } from './value/exact-json.js'
export { readValue, type ValueProblem } from './value/read-value.js'
export { fromWebRequest, toWebResponse } from './web-adapter.js'
