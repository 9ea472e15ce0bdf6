import type { StoredType } from '../schema/storage.js'
import type { Dialect, Sql } from './dialect.js'
import { sqliteJson } from './sqlite-json.js'

/**
 * How an engine writes JSON by itself, byte for byte as this process would from what it reads: a page then comes as one text,
 * not value by value, which is most of what it costs.
 */
export interface JsonWriting {
  /** The value of a column, never SQL's null; undefined: only this process can write values of the type. */
  readonly value: (column: Sql, type: StoredType) => Sql | undefined
  /** Texts one behind the other. */
  readonly joined: (texts: readonly Sql[]) => Sql
  /** Most texts that can be joined. */
  readonly mostJoined: number
  /** Values that are no floating-point numbers as a JSON array; one alone as it is, which costs less. */
  readonly list: (values: readonly Sql[]) => Sql
  /** The texts of all rows, in the order of the rows, with another between each two. */
  readonly all: (text: Sql, between: string) => Sql
}

const writings: Readonly<Record<Dialect['name'], JsonWriting | undefined>> = { sqlite: sqliteJson, postgres: undefined }

/** How an engine writes JSON; undefined: it is not trusted to. */
export function jsonWriting({ name }: Pick<Dialect, 'name'>): JsonWriting | undefined {
  return writings[name]
}
