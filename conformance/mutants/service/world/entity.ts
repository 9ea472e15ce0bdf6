import type { EntityType, NavigationProperty } from '../../../../spec/language/index.js'
import type { Json } from '../../../json.js'

/** An item as the service holds it. */
export interface Entity {
  readonly type: EntityType
  /** By property; the record has no prototype. */
  values: Record<string, Json>
  /** What it contains, and the links that are kept with it, by relation. */
  readonly related: Map<string, Entity[]>
  readonly owner?: { readonly entity: Entity; readonly relation: NavigationProperty }
  /** Counts its changes. */
  version: number
  /** The world's moment at which it was last changed. */
  changed: number
}
