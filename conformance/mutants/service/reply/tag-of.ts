import type { Exchange } from '../exchange.js'
import type { Entity } from '../world/entity.js'
import { choiceOr } from '../write/create-item.js'

/** The entity tag of an item; absent where its type has none. */
export function tagOf(row: Entity, at: Exchange): string | undefined {
  const { entityTag } = row.type
  if (entityTag === 'none') return undefined
  const form = choiceOr('entityTag', entityTag, at)
  if (form === 'none') return undefined
  return form === 'weak' ? `W/"${row.version}"` : `"${row.version}"`
}
