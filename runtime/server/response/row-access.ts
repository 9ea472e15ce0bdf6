/** An item as a handler returned it. */
export type GivenRow = Readonly<Record<string, unknown>>

/** An item as it is sent. */
export type SentRow = Record<string, unknown>

/** Writes a part of an item into what is sent. */
export type RowWriter = (row: GivenRow, sent: SentRow) => void

/** Whether handlers returned an item, not null or something else. */
export function isRow(value: unknown): value is GivenRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads one member. What every object inherits is none, even where the service calls one `constructor`. */
export function memberReader(name: string): (row: GivenRow) => unknown {
  return name in Object.prototype ? row => (Object.hasOwn(row, name) ? row[name] : undefined) : row => row[name]
}

/** Writes one member; `__proto__` too is a member, not the prototype. */
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
