import type { CallEndpoint, EntityType } from '../../../../spec/language/index.js'
import type { Json } from '../../../json.js'
import type { Exchange } from '../exchange.js'
import { matchingRows } from '../read/matching-rows.js'
import { readCollection } from '../read/read-collection.js'
import { contextOf, itemReply } from '../reply/item-reply.js'
import { project } from '../reply/project.js'
import { bare, type Reply } from '../reply/reply.js'
import type { Value } from '../value/value.js'
import type { Entity } from '../world/entity.js'
import { isOfType } from '../world/is-of-type.js'
import { readArguments } from './read-arguments.js'
import { sampleValue } from './sample-value.js'

/** Answers a call: a query where the spec tells what it means, otherwise something of the declared shape. */
export function callOperation(endpoint: CallEndpoint, at: Exchange): Reply {
  const { behaviour, service, target } = at
  const { itemNotFound } = service.faults
  const binding = endpoint.operation.binding
  if (binding !== undefined && !binding.collection && target.kind !== 'one') {
    return behaviour.error(itemNotFound, itemNotFound.message, at)
  }
  const read = readArguments(endpoint, at)
  if (read.kind === 'reply') return read.reply
  if (endpoint.operation.meaning !== undefined && target.kind === 'one') {
    return answerMeaning(endpoint, target.row, read.values, at)
  }
  return answerShape(endpoint, at)
}

function answerMeaning(
  endpoint: CallEndpoint,
  start: Entity,
  parameters: ReadonlyMap<string, Value>,
  at: Exchange,
): Reply {
  const { behaviour } = at
  const { meaning } = endpoint.operation
  if (meaning === undefined) return answerShape(endpoint, at)
  const { filter, orderby, value } = meaning
  const reached = behaviour.reaches(start, meaning.of, meaning.transitive, at)
  const met = filter === undefined ? reached : reached.filter(row => behaviour.meets(row, filter, parameters, at))
  const rows = behaviour.operate(orderby === undefined ? met : matchingRows(met, { orderby }, at), parameters, at)
  if (value === undefined) return collection(rows, meaning.of.type, endpoint, at)
  return { status: endpoint.status, headers: {}, json: { value: rows.map(row => row.values[value.name] ?? null) } }
}

function collection(rows: readonly Entity[], type: EntityType, endpoint: CallEndpoint, at: Exchange): Reply {
  if (endpoint.query !== undefined) return readCollection(rows, type, at)
  const value = rows.map(row => project(row, type, at.options, at))
  return { status: endpoint.status, headers: {}, json: { '@odata.context': contextOf(type, at), value } }
}

/** An operation that the spec tells nothing of: an answer of the shape that it declares. */
function answerShape(endpoint: CallEndpoint, at: Exchange): Reply {
  const { returns, binding } = endpoint.operation
  if (returns === undefined) return bare(endpoint.status)
  if (returns.type.kind !== 'entityType') {
    const value: Json = sampleValue(returns.type)
    const isObject = returns.type.kind === 'complexType' && !returns.collection
    return {
      status: endpoint.status,
      headers: {},
      json: isObject ? value : { value: returns.collection ? [value] : value },
    }
  }
  const { type } = returns
  const rows = [...at.world.entities].filter(row => isOfType(row.type, type))
  if (returns.collection) return collection(endpoint.query === undefined ? rows.slice(0, 3) : rows, type, endpoint, at)
  const bound = at.target.kind === 'one' && binding?.type === type ? at.target.row : rows[0]
  return bound === undefined ? bare(204) : itemReply(bound, type, endpoint.status, at)
}
