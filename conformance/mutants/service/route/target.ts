import type { NavigationProperty } from '../../../../spec/language/index.js'
import type { Entity } from '../world/entity.js'

/** What a path leads to. */
export type Target =
  | { readonly kind: 'many'; readonly rows: readonly Entity[]; readonly source: Source }
  | { readonly kind: 'one'; readonly row: Entity }
  /** A single relation that leads to nothing. */
  | { readonly kind: 'empty' }
  /** No item has the key. */
  | { readonly kind: 'missing' }

/** Where the rows of a collection are kept: in a set, or with an item. */
export type Source =
  | { readonly kind: 'set'; readonly name: string }
  | { readonly kind: 'relation'; readonly owner: Entity; readonly relation: NavigationProperty }
  | { readonly kind: 'none' }
