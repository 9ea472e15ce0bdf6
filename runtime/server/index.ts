// For services: what a generated server skeleton and its handlers use.

export { type AnyQueryFunction, type QueryFunctionCall, transformations } from '../query/index.js'
export { type Asynchronous, type AsynchronousSettings, asynchronous } from './asynchronous.js'
export { type Batches, type BatchSettings, batches, defaultBatchLimits } from './batch/batch-route.js'
export { createService, fromWebRequest, type Service, type ServiceParts, toWebResponse } from './create-service.js'
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
  type FindRelatedList,
  type HandlerLookup,
  handlersByName,
  type ListResult,
  type MaybePromise,
  notImplemented,
  type Principal,
  queryFunctionsByName,
  type RelatedList,
  type Removable,
  type RequestBody,
  type Row,
} from './handler.js'
export { isSendable, type RequestHead, type ServerRequest, type ServerResponse } from './http/message.js'
export {
  type EntityTag,
  type EntityTags,
  includesTag,
  type Precondition,
  parseEntityTags,
} from './http/preconditions.js'
export { type PreferenceValues, parsePrefer } from './http/preferences.js'
export { listRows, type PageRequest } from './list-rows.js'
export {
  fromNodeRequest,
  type NodeListenerOptions,
  type NodeRequest,
  type NodeResponse,
  toNodeListener,
} from './node-adapter.js'
export { type QueryTemplate, type RelationRead, relationsRead } from './planning/related-scopes.js'
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
export { readServiceTable, structuredType } from './service-table.js'
export type { ChangedStream, ReadStream, StreamContent } from './streams/stream-responses.js'
export {
  type MeasuredService,
  type OpenTelemetryApi,
  openTelemetry,
  type Telemetry,
  type TelemetrySpan,
} from './telemetry.js'
export { JsonText, parseExactJson, parseJsonText, printJson } from './value/primitive-values.js'

// For generic handlers and hosts, such as the reference service.

export { createReadContext, readEntity } from './body/entity-body.js'
export { defaultNestedItems } from './body/input.js'
export { readRequestBody } from './body/json-body.js'
export { type BoundedMap, boundedCache, boundedMap } from './bounded-cache.js'
export { type MediaType, parseMediaType, splitUnquoted } from './http/message.js'
export { keyPredicate } from './related-lists.js'
export { jsonContentType } from './response/json-response.js'
export { projectionOf } from './response/projection.js'
export {
  omitsKeys,
  projectionRules,
  type ReturnedProperty,
  returnedProperties,
} from './response/returned-properties.js'
export { splitPath, splitTarget } from './routing/path.js'
export { createRouter, type Reference, type ResolveReference } from './routing/router.js'
export { readValue, type ValueProblem } from './value/read-value.js'
