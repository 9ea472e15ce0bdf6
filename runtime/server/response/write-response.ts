import type { Exchange } from '../exchange.js'
import type { Outgoing } from '../outgoing.js'
import { entityTagOf } from './entity-tag-of.js'
import { emptyResponse } from './json-response.js'
import { keyLiteral } from './key-literal.js'
import { absentResponse, itemContent } from './read-response.js'
import { isRow } from './row-access.js'

/**
 * A created item, with its address.
 *
 * @see OData Protocol 4.01, 11.4.2 and 8.2.8.7 (return preference)
 */
export function createdResponse(exchange: Exchange, row: unknown): Outgoing {
  const location = `${exchange.serviceUrl}${exchange.path}${keyPath(exchange, row)}`
  const own = { location, etag: entityTagOf(row) }
  if (isMinimal(exchange)) return emptyResponse(exchange, 204, { ...own, entityId: location })
  const { status } = exchange.compiled.route
  return itemContent(exchange, status === 204 ? 201 : status, row, own)
}

/** A changed item. */
export function updatedResponse(exchange: Exchange, row: unknown): Outgoing {
  if (row === null || row === undefined) return absentResponse(exchange)
  if (isMinimal(exchange)) return emptyResponse(exchange, 204, { etag: entityTagOf(row) })
  const { status } = exchange.compiled.route
  return itemContent(exchange, status === 204 ? 200 : status, row, { etag: entityTagOf(row) })
}

/** Whether only the fact is told: the caller prefers it, or the spec gives 204 and the caller nothing. */
function isMinimal({ preferences, compiled }: Exchange): boolean {
  return preferences.return === 'minimal' || (compiled.route.status === 204 && preferences.return === undefined)
}

/** `/x` for a single key, `(a='x',b=2)` for a composite one. */
function keyPath({ compiled, table }: Exchange, row: unknown): string {
  const { type } = compiled.route
  const info = type !== undefined && Object.hasOwn(table.types, type) ? table.types[type] : undefined
  if (info?.kind !== 'entityType' || !isRow(row))
    throw new TypeError(`The handler ${compiled.route.name} must return an item.`)
  const values = info.key.map(name => ({ name, value: row[name], type: info.properties[name]?.type ?? 'Edm.String' }))
  if (values.some(({ value }) => value === undefined || value === null)) {
    throw new TypeError(`The handler ${compiled.route.name} returned an item without its key.`)
  }
  const [only] = values
  if (only !== undefined && values.length === 1) return `/${encodeURIComponent(String(only.value))}`
  return `(${values.map(({ name, value, type: keyType }) => `${name}=${keyLiteral(value, keyType)}`).join(',')})`
}
