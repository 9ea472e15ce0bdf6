import type { ServiceTable } from '../../runtime/server/index.js'
import type { Service } from '../../spec/language/index.js'
import type { StoreSchema } from '../../sql/index.js'
import type { Atomically, Engine } from './engines/engine.js'
import type { StoreIdentity } from './migrations/migrate.js'
import type { Normaliser } from './values/normaliser.js'

/** The open store of a service. */
export interface Store {
  readonly service: Service
  readonly table: ServiceTable
  readonly schema: StoreSchema
  readonly engine: Engine
  readonly atomically: Atomically
  /** Whether the code that calls it is part of atomic work. */
  readonly isAtomic: () => boolean
  readonly identity: StoreIdentity
  readonly normalise: Normaliser
  readonly now: () => Date
}

/**
 * One item as data files and seeds give it to the store. Values are in their JSON form. A missing property gets its default,
 * the current time (`stamp`), a generated key, null or an empty list.
 */
export interface EntityRecord {
  /** The unqualified name of the entity type, such as `user` in a set of users and groups. */
  readonly type: string
  /** Structural properties by name, including computed properties and the key. */
  readonly properties: Readonly<Record<string, unknown>>
  /** Links to items that are not contained: the keys of the targets by relation. */
  readonly links?: Readonly<Record<string, readonly ItemKey[]>>
  /** Streams by the name of the property; empty for the media stream. */
  readonly streams?: Readonly<Record<string, RecordStream>>
  /** Contained items by relation, nested. */
  readonly contained?: Readonly<Record<string, readonly EntityRecord[]>>
  /** The item that contains this one, unless the record is nested in the record of its owner. */
  readonly owner?: RecordOwner
  /** The name of the singleton that this item is. Singletons bound to the signed-in caller have no records. */
  readonly singleton?: string
}

/** A stream of an item. */
export interface RecordStream {
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** The values of the key properties, in key order. */
export type ItemKey = readonly (string | number | boolean)[]

/** The owner of a contained item. It is in the store already, or precedes the item. */
export interface RecordOwner {
  /** The unqualified name of the owner's entity type. */
  readonly type: string
  readonly key: ItemKey
  /** The relation of the owner that contains the item. */
  readonly relation: string
  /** The owner of the owner, if the owner's key is unique only there. */
  readonly owner?: RecordOwner
}
