import { isRow } from './row-access.js'

/** The entity tag that a handler gave an item: its `ETag` header. @see RFC 9110, 8.8.3 */
export function entityTagOf(row: unknown): string | undefined {
  const tag = isRow(row) ? row['@odata.etag'] : undefined
  return typeof tag === 'string' ? tag : undefined
}
