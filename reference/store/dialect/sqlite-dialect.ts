import { sql } from 'kysely'
import { Slot, type SqlValue } from '../engine/sql-value.js'
import type { Storage } from '../schema/storage.js'
import { compareExactly, nearestNumber } from '../value/exact-decimal.js'
import type { Calculated, Dialect, JsonPlace, Sql } from './dialect.js'
import { whiteSpace } from './white-space.js'

const columnTypes: Readonly<Record<Storage, string>> = {
  text: 'TEXT',
  integer: 'INTEGER',
  boolean: 'INTEGER',
  decimal: 'REAL',
  double: 'REAL',
}

/** SQLite, with the functions of `sqliteFunctions` added. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  columnType: storage => columnTypes[storage],
  idType: 'INTEGER PRIMARY KEY',
  bind: (value, storage) => sql`${storage === 'boolean' && !(value instanceof Slot) ? bit(value) : value}`,
  boolean: value => (value ? 1 : 0),

  lower: text => sql`unicode_lower(${text})`,
  upper: text => sql`unicode_upper(${text})`,
  trim: text => sql`trim(${text}, ${whiteSpace})`,
  position: (text, part) => sql`instr(${text}, ${part})`,
  greatest: (left, right) => sql`max(${left}, ${right})`,

  arithmetic: (operator, left, right, kind) => calculated(sql`${sql.raw(`${kind}_${operator}`)}(${left}, ${right})`),
  negated: value => calculated(sql`exact_negated(${value})`),
  round: (mode, value) => calculated(sql`${sql.raw(`exact_${mode}`)}(${value})`),
  decimal: text => {
    const number = Number(text)
    const exact = nearestNumber(text)
    return compareExactly(text, exact) === 0 ? { sql: sql`${number}` } : { sql: sql`${number}`, exact: sql`${text}` }
  },
  compared: (left, right) => sql`exact_compared(${left}, ${right})`,
  integerOf: text => sql`CAST(${text} AS INTEGER)`,
  decimalOf: text => sql`CAST(${text} AS REAL)`,
  isNotANumber: value => sql`${value} = 'NaN'`,

  moved: (value, seconds, kind) =>
    sql`${sql.raw(kind === 'date' ? 'date_moved' : 'instant_moved')}(${value}, ${seconds})`,
  between: (later, earlier, kind) =>
    calculated(sql`${sql.raw(kind === 'date' ? 'date_between' : 'instant_between')}(${later}, ${earlier})`),
  durationSeconds: text => sql`duration_seconds(${text})`,

  json: column => column,
  jsonValue: place => sql`json_extract(${place.json}, ${jsonPath(place)})`,
  jsonPart: place => (place.path.length === 0 ? place.json : sql`json_extract(${place.json}, ${jsonPath(place)})`),
  jsonItems: (place, alias) =>
    place.path.length === 0
      ? sql`json_each(${place.json}) AS ${sql.id(alias)}`
      : sql`json_each(${place.json}, ${jsonPath(place)}) AS ${sql.id(alias)}`,
  jsonItemPlace: alias => sql`${sql.id(alias, 'key')}`,
  jsonItem: alias => sql`${sql.id(alias, 'value')}`,
  jsonItemPart: alias => sql`${sql.id(alias, 'value')}`,
  jsonLength: place => sql`json_array_length(${place.json}, ${jsonPath(place)})`,

  listed: list => sql`SELECT value FROM json_each(${list})`,
  encodeList: values => JSON.stringify(values),
  exact: value => value,
  nulls: () => sql``,
  forUpdate: sql``,
  forReference: sql``,
}

function calculated(exact: Sql): Calculated {
  return { sql: sql`nearest_number(${exact})`, exact }
}

function bit(value: SqlValue): SqlValue {
  return typeof value === 'boolean' ? Number(value) : value
}

/** `$."a"."b"`: names are of the grammar of identifiers, so that nothing in them needs escaping. */
function jsonPath({ path }: JsonPlace): Sql {
  return sql`${`$${path.map(name => `."${name}"`).join('')}`}`
}
