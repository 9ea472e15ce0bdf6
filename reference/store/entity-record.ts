/**
 * One item as data files and generators of data give it to the store. Values are in their JSON form; what is absent gets
 * its default, the time (`stamp`), a generated key, null or an empty list.
 */
export interface EntityRecord {
  /** Unqualified name of the entity type that the item is of: `user`, where a set holds users and groups. */
  readonly type: string
  /** Structural properties by name, computed ones and the key included. */
  readonly properties: Readonly<Record<string, unknown>>
  /** Relations to items that are not contained, by name: the keys of their targets. */
  readonly links?: Readonly<Record<string, readonly ItemKey[]>>
  /** Contained items by relation, nested. */
  readonly contained?: Readonly<Record<string, readonly EntityRecord[]>>
  /** The item that contains this one, when the record is not nested in that of its owner. */
  readonly owner?: RecordOwner
  /** The singleton that the item is, of those that are not the signed-in caller. */
  readonly singleton?: string
}

/** The values of an item's key properties, in the order of the type's key. */
export type ItemKey = readonly (string | number | boolean)[]

/** Where a contained item belongs. The owner is in the store already, or comes before what it contains. */
export interface RecordOwner {
  /** Unqualified name of the owner's entity type. */
  readonly type: string
  readonly key: ItemKey
  /** The relation of the owner that contains the item. */
  readonly relation: string
  /** The owner's own owner, when its key is unique there only. */
  readonly owner?: RecordOwner
}
