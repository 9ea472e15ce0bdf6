import type { ReadEndpoint } from '../../../../spec/language/index.js'
import type { Exchange } from '../exchange.js'
import { itemReply } from '../reply/item-reply.js'
import { bare, type Reply } from '../reply/reply.js'

/** One item; 304 when the client has it already. */
export function readItem(endpoint: ReadEndpoint, at: Exchange): Reply {
  const { target, behaviour, service } = at
  if (target.kind === 'empty') return readNothing(endpoint, at)
  if (target.kind !== 'one')
    return behaviour.error(service.faults.itemNotFound, service.faults.itemNotFound.message, at)
  const tag = behaviour.tag(target.row, at)
  const known = behaviour.header('If-None-Match', at)
  if (known !== null && behaviour.matches(known, tag, 'If-None-Match', at)) {
    return bare(304, tag === undefined ? {} : { ETag: tag })
  }
  return itemReply(target.row, endpoint.type, 200, at)
}

/** What a single relation without a target answers. */
function readNothing(endpoint: ReadEndpoint, at: Exchange): Reply {
  const { behaviour, service } = at
  const choice = service.open.some(({ name }) => name === 'absentRelation')
    ? behaviour.choices['absentRelation']
    : undefined
  const answer = String(choice ?? endpoint.absent)
  if (answer === 'null') return { status: 200, headers: {}, json: null }
  if (answer === '204') return bare(204)
  return behaviour.error(service.faults.itemNotFound, service.faults.itemNotFound.message, at)
}
