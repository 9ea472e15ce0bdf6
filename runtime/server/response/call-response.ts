import type { Exchange } from '../exchange.js'
import type { Outgoing } from '../outgoing.js'
import { contextUrl, emptyResponse, jsonResponse } from './json-response.js'
import { itemContent, listResponse } from './read-response.js'
import { isRow } from './row-access.js'

/**
 * What an operation returned: items and complex values as they are, other values and lists under `value`, nothing as 204.
 *
 * @see OData Protocol 4.01, 11.5.5; OData JSON Format 4.01, 11 and 14
 */
export function callResponse(exchange: Exchange, result: unknown): Outgoing {
  const { operation, status } = exchange.compiled.route
  const returns = operation?.returns
  if (returns === undefined || result === null || result === undefined) return emptyResponse(exchange, 204)
  const structured = isStructured(exchange, returns.type)
  if (returns.collection === true) {
    const page = Array.isArray(result) ? { value: result, count: result.length } : result
    if (structured) return listResponse(exchange, page)
    const value = isRow(page) ? page['value'] : undefined
    return jsonResponse(exchange, status, { '@odata.context': contextUrl(exchange), value })
  }
  if (structured) return itemContent(exchange, status, result)
  return jsonResponse(exchange, status, { '@odata.context': contextUrl(exchange), value: result })
}

function isStructured({ table }: Exchange, name: string): boolean {
  const type = Object.hasOwn(table.types, name) ? table.types[name] : undefined
  return type?.kind === 'entityType' || type?.kind === 'complexType'
}
