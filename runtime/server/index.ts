export type { Call } from './call.js'
export { createService, type Service } from './create-service.js'
export type { DeltaResult, Removable } from './delta-result.js'
export type { ExtraCall, ExtraRoute } from './extra-route.js'
export { type ErrorDetail, Failure, type FailureDetails } from './failure.js'
export {
  type Answer,
  type AnyCall,
  type AnyHandler,
  type HandlerLookup,
  handlersByName,
  type Unfinished,
} from './handler.js'
export type { EntityTag } from './http/entity-tag.js'
export type { Incoming } from './incoming.js'
export type { ListResult } from './list-result.js'
export { listRows, type PageWanted } from './list-rows.js'
export { nodeIncoming } from './node/node-incoming.js'
export type { NodeRequest, NodeResponse } from './node/node-types.js'
export { type NodeListenerOptions, toNodeListener } from './node-listener.js'
export { notImplemented } from './not-implemented.js'
export type { Outgoing } from './outgoing.js'
export { type EntityTags, includesTag, type Precondition } from './precondition.js'
export type { PreferenceValues } from './preferences.js'
export type { Principal } from './principal.js'
export type { QueryTemplate } from './query/query-template.js'
export type { Received } from './received.js'
export { type FaultDetails, RequestFault } from './request-fault.js'
export type { RequestHead } from './request-head.js'
export { JsonText } from './response/json-text.js'
export type { Row } from './row.js'
export type { Authenticate, ContextNeeded, SecuredServiceOptions, ServiceOptions } from './service-options.js'
export type * from './service-table.js'
