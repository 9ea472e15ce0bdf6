import type { Json } from '../../../json.js'

/** An item with all that belongs to it, before a service holds it. */
export interface Item {
  /** Unique among all items: how links name it. */
  readonly ref: string
  /** Name of its entity type. */
  readonly type: string
  readonly values: Readonly<Record<string, Json>>
  /** By containment relation. */
  readonly contained: Readonly<Record<string, readonly Item[]>>
  /** By relation that is kept with this item: refs of the targets. */
  readonly links: Readonly<Record<string, readonly string[]>>
}

/** What a service starts with: plain data, so that each service has its own copy. */
export interface Data {
  /** By entity set. */
  readonly sets: Readonly<Record<string, readonly Item[]>>
  /** By singleton that stands alone. */
  readonly singletons: Readonly<Record<string, Item>>
  /** Ref of the signed-in one. */
  readonly principal?: string
}
