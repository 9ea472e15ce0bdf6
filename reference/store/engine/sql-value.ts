/** What goes to an engine and comes from it. Booleans are numbers in SQLite. */
export type SqlValue = null | string | number | bigint | boolean

/** One row of a result, column by column. */
export type SqlRow = readonly unknown[]

/** A value that is known only when a statement runs: a key of the path, a parameter, where a page begins. */
export class Slot {
  readonly name: string
  /** Brings the value to the form that the engine keeps. */
  readonly encode: (value: unknown) => SqlValue

  constructor(name: string, encode: (value: unknown) => SqlValue = asSqlValue) {
    this.name = name
    this.encode = encode
  }
}

/** Values of slots by name. */
export type SlotValues = Readonly<Record<string, unknown>>

/** The values of slots and some more: copied one by one, since spreading both costs ten times as much. */
export function moreValues(values: SlotValues, more: SlotValues): SlotValues {
  const all: Record<string, unknown> = {}
  for (const name in values) all[name] = values[name]
  for (const name in more) all[name] = more[name]
  return all
}

/** A value that an engine takes as it is. @throws {TypeError} for any other */
export function asSqlValue(value: unknown): SqlValue {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return value
    default:
      if (value === null || value === undefined) return null
      throw new TypeError(`A ${typeof value} is no value of SQL.`)
  }
}
