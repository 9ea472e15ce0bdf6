export type { EntityRecord, ItemKey, RecordOwner } from './entity-record.js'
export type { ReferenceOptions } from './reference-options.js'
export type { ReferenceService } from './reference-service.js'
