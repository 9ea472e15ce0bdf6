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

/**
 * A value as the JSON text that it is sent as: for handlers whose store keeps JSON, which would otherwise be read and
 * written again for nothing. The text must be JSON, without white space where `JSON.stringify` puts none.
 *
 * As the `value` of a page it is the list of items as they are sent: the handler has done what `$select` and `$expand` say.
 */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** The value: for whoever needs to look into it. */
  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

/** A value that may have been given as text, as a value. */
export function parseJsonText(given: unknown): unknown {
  return given instanceof JsonText ? given.toJSON() : given
}

/** The entity tag that a handler gave an item: its `ETag` header. @see RFC 9110, 8.8.3 */
export function entityTagOf(row: unknown): string | undefined {
  const tag = isRow(row) ? row['@odata.etag'] : undefined
  return typeof tag === 'string' ? tag : undefined
}
