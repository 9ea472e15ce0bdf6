import type { UpdateEndpoint } from '../../../../spec/language/index.js'
import type { Json } from '../../../json.js'
import type { Exchange } from '../exchange.js'
import { itemReply } from '../reply/item-reply.js'
import { preferenceValue } from '../reply/prefer.js'
import { refusalReply } from '../reply/refusal-reply.js'
import { bare, type Reply } from '../reply/reply.js'
import { checkCondition } from './check-condition.js'
import { choiceOr, conflictOf, danglingOf, nowText } from './create-item.js'
import { readBody, typesBelow } from './read-body.js'
import { requestJson } from './request-json.js'

/** Changes some properties of an item, or all. */
export function updateItem(endpoint: UpdateEndpoint, at: Exchange): Reply {
  const { behaviour, service, target } = at
  const { itemNotFound, invalidBody } = service.faults
  if (target.kind !== 'one') return behaviour.error(itemNotFound, itemNotFound.message, at)
  const { row } = target
  const body = requestJson(at)
  if (body.kind !== 'object') return refusalReply(body, at)
  const refusal = checkCondition(row, endpoint.ifMatch, at)
  if (refusal !== undefined) return refusal
  const types = typesBelow(endpoint.type, [...service.complexTypes, ...service.entityTypes])
  const read = readBody(body.json, row.type, endpoint.kind, types)
  if (read.kind === 'problem') return behaviour.error(invalidBody, read.message, at)
  const before = { ...row, values: { ...row.values } }
  const stamps: Record<string, Json> = {}
  for (const property of row.type.properties)
    if (property.stamp === 'changed') stamps[property.name] = nowText(property)
  const values =
    endpoint.kind === 'replace' ? { ...row.values, ...read.values } : behaviour.merge(row.values, read.values, row, at)
  const clash = conflictOf(values, row.type, at, row) ?? danglingOf(values, row.type, at)
  if (clash !== undefined) return clash
  behaviour.commit({ kind: 'update', entity: row, values: { ...values, ...stamps } }, at)
  const status = Number(choiceOr('updateStatus', endpoint.status, at))
  const tag = behaviour.tag(row, at)
  const isMinimal = preferenceValue(at.request.headers.get('Prefer') ?? '', 'return') === 'minimal'
  if (status === 204 || isMinimal) return bare(204, tag === undefined ? {} : { ETag: tag })
  return itemReply(behaviour.changed(before, row, at), endpoint.type, status, at)
}
