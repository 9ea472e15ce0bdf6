/** An item as a handler returned it. */
export type GivenRow = Readonly<Record<string, unknown>>

export type SentRow = Record<string, unknown>

/** Writes part of an item to the response. */
export type RowWriter = (row: GivenRow, sent: SentRow) => void

export function isRow(value: unknown): value is GivenRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads a member. A member of `Object.prototype` counts as absent, even if a property is called `constructor`. */
export function memberReader(name: string): (row: GivenRow) => unknown {
  return name in Object.prototype ? row => (Object.hasOwn(row, name) ? row[name] : undefined) : row => row[name]
}

/** Writes a member. `__proto__` becomes a normal member, not the prototype. */
export function memberWriter(name: string): (sent: SentRow, value: unknown) => void {
  if (name !== '__proto__') {
    return (sent, value) => {
      sent[name] = value
    }
  }
  return (sent, value) => {
    Object.defineProperty(sent, name, { value, enumerable: true })
  }
}

/** The entity tag of an item that a handler returned. @see RFC 9110, 8.8.3 */
export function entityTagOf(row: unknown): string | undefined {
  const tag = isRow(row) ? row['@odata.etag'] : undefined
  return typeof tag === 'string' ? tag : undefined
}
