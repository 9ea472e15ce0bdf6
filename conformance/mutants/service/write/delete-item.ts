import type { DeleteEndpoint } from '../../../../spec/language/index.js'
import type { Exchange } from '../exchange.js'
import { bare, type Reply } from '../reply/reply.js'
import { related } from '../world/related.js'
import { checkCondition } from './check-condition.js'
import { choiceOr } from './create-item.js'

/** Deletes an item, unless others need it. */
export function deleteItem(endpoint: DeleteEndpoint, at: Exchange): Reply {
  const { behaviour, service, target, world } = at
  const { itemNotFound, conflict } = service.faults
  if (target.kind !== 'one') return behaviour.error(itemNotFound, itemNotFound.message, at)
  const { row } = target
  const refusal = checkCondition(row, endpoint.ifMatch, at)
  if (refusal !== undefined) return refusal
  const isNeeded = row.type.navigation.some(
    relation => relation.onDelete === 'restrict' && related(world, row, relation).length > 0,
  )
  if (isNeeded) {
    const error = endpoint.errors.find(each => each.status === 409) ?? conflict
    return behaviour.error(error, error.message, at)
  }
  behaviour.commit({ kind: 'delete', entity: row }, at)
  return bare(Number(choiceOr('deleteStatus', endpoint.status, at)))
}
