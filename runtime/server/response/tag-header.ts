import { isRow } from './row-access.js'

/** The entity tag that a handler gave an item. */
export function entityTagOf(row: unknown): string | undefined {
  const tag = isRow(row) ? row['@odata.etag'] : undefined
  return typeof tag === 'string' ? tag : undefined
}

/** The `ETag` header of an item; empty when it has no tag. @see RFC 9110, 8.8.3 */
export function tagHeader(row: unknown): Readonly<Record<string, string>> {
  const tag = entityTagOf(row)
  return tag === undefined ? {} : { etag: tag }
}
