import { sql } from 'kysely'
import { unsupportedQuery } from '../query-faults.js'
import type { Storage } from '../schema/stored-type.js'
import type { ComputedNumber, Dialect, JsonLocation, NumberKind, Sql } from './dialect.js'

/**
 * What MySQL cannot compute as OData defines it: SQL with the standard operator for texts, which is a logical one here, and
 * everything else that the compiler writes for other databases.
 */
const foreign = /\|\||::|"|\bIS (?:NOT )?DISTINCT FROM\b|\bNULLS (?:FIRST|LAST)\b|(?<![\w.])length\(|\bAS text\b/i

/** Refuses a statement that means something else in MySQL. */
export function requireMysql(text: string): void {
  const found = foreign.exec(text.replace(/'(?:[^']|'')*'|`(?:[^`]|``)*`/g, ''))
  if (found !== null) throw refused(`an expression with '${found[0]}'`)
}

function refused(what: string): Error {
  return unsupportedQuery('query', `MySQL has no equal of ${what}.`)
}

const refuse = (what: string) => (): never => {
  throw refused(what)
}

const columnTypes: Readonly<Record<Storage, string>> = {
  text: 'longtext',
  integer: 'bigint',
  boolean: 'boolean',
  decimal: 'decimal(65,30)',
  exact: 'decimal(65,30)',
  double: 'double',
  uuid: 'char(36)',
  timestamptz: 'timestamp(6)',
  timestamp: 'datetime(6)',
  date: 'date',
  time: 'time(6)',
  equalText: 'longtext',
  untyped: 'longtext',
  bytes: 'longblob',
}

/** The digits that decimal numbers of the engine can keep through additions. */
const exactDigits = /^-?\d{1,30}(?:\.\d{1,30})?$/

/** The collations that compare texts by code point, with their spaces at the end. */
const collations = { mysql: 'utf8mb4_0900_bin', mariadb: 'utf8mb4_nopad_bin' } as const

/** The dialect of MySQL 8 and MariaDB 10.6. What they cannot compute exactly is refused. */
export function mysqlDialect(server: keyof typeof collations): Dialect {
  const collation = sql.raw(collations[server])
  const text = (value: Sql): Sql => sql`CONVERT(${value} USING utf8mb4) COLLATE ${collation}`
  const fromJson = (json: Sql, storage: Storage): Sql =>
    fromText(sql`CASE JSON_TYPE(${json}) WHEN 'NULL' THEN NULL ELSE ${text(sql`JSON_UNQUOTE(${json})`)} END`, storage)
  return {
    name: 'mysql',
    columnType: storage => columnTypes[storage],
    idType: 'bigint AUTO_INCREMENT PRIMARY KEY',
    bind: (value, storage) => {
      if (typeof value === 'number' && !Number.isFinite(value)) throw refused('numbers that are not finite')
      switch (storage) {
        case 'text':
          return value === null ? sql`NULL` : text(sql`${value}`)
        case 'date':
          return sql`CAST(${value} AS date)`
        case 'timestamp':
          return sql`CAST(${value} AS datetime(6))`
        case 'time':
          return sql`CAST(${value} AS time(6))`
        case 'exact':
          return sql`CAST(${value} AS decimal(65,30))`
        default:
          return sql`${value}`
      }
    },
    boolean: value => value,

    lower: value => sql`LOWER(${value})`,
    upper: value => sql`UPPER(${value})`,
    trim: refuse("'trim', which removes all white space"),
    length: value => sql`CHAR_LENGTH(${value})`,
    concat: texts => sql`CONCAT(${sql.join(texts)})`,
    words: refuse('a search for words'),
    position: (whole, part) => sql`LOCATE(${part}, ${whole})`,
    pattern: refuse("'matchesPattern'"),
    matches: refuse("'matchesPattern'"),
    geoDistance: refuse("'geo.distance'"),
    geoLength: refuse("'geo.length'"),
    geoIntersects: refuse("'geo.intersects'"),
    greatest: (left, right) => sql`GREATEST(${left}, ${right})`,
    identical: (left, right) => sql`(${left} <=> ${right})`,

    arithmetic,
    negate: (value, kind) => ({ sql: sql`(- ${operand(value, kind)})` }),
    round: (mode, value, kind) => ({ sql: rounded(mode, value, kind) }),
    decimal: digits => {
      if (!exactDigits.test(digits)) throw refused(`the number ${digits}`)
      return { sql: sql.raw(digits) }
    },
    storedDecimal: column => ({ sql: column }),
    sortable: () => undefined,
    compareExact: (left, right) => sql`SIGN(${left} - ${right})`,
    integerOf: value => sql`CAST(${value} AS signed)`,
    decimalOf: value => sql`CAST(${value} AS decimal(65,30))`,
    isNaN: () => sql`FALSE`,

    cast: refuse("'cast'"),
    collated: value => sql`${value} COLLATE ${collation}`,
    addSeconds: refuse('the addition of a duration'),
    secondsBetween: refuse('the difference of two times'),
    durationSeconds: refuse('durations'),

    json: column => column,
    jsonValue: (place, storage) => fromJson(extracted(place), storage),
    jsonPart: place => {
      const part = extracted(place)
      return sql`CASE JSON_TYPE(${part}) WHEN 'NULL' THEN NULL ELSE ${part} END`
    },
    jsonDigits: undefined,
    // MySQL refuses a column of a derived table outside that is not converted, and does not know those in a subquery.
    jsonItems: (place, alias) => {
      const items = (json: Sql): Sql =>
        sql`JSON_TABLE(CONVERT(${json} USING utf8mb4), ${sql.lit(`${jsonPath(place)}[*]`)} COLUMNS (${sql.id('key')} FOR ORDINALITY, ${sql.id('value')} JSON PATH '$')) AS ${sql.id(alias)}`
      if (server === 'mariadb') return items(place.json)
      const list = `${alias}j`
      return sql`(SELECT ${place.json} AS ${sql.id('json')}) AS ${sql.id(list)}, ${items(sql.id(list, 'json'))}`
    },
    // MySQL answers wrongly if it turns EXISTS over JSON_TABLE into a semijoin.
    jsonSome: rows => sql`((SELECT COUNT(*) ${rows}) > 0)`,
    jsonItemIndex: alias => sql`${sql.id(alias, 'key')}`,
    jsonItem: (alias, storage) => fromJson(sql`${sql.id(alias, 'value')}`, storage),
    jsonItemDigits: undefined,
    jsonItemPart: alias => sql`${sql.id(alias, 'value')}`,
    jsonLength: place => {
      const part = extracted(place)
      return sql`CASE JSON_TYPE(${part}) WHEN 'ARRAY' THEN JSON_LENGTH(${part}) END`
    },

    commaSeparated: refuse('a list in a text'),
    listValues: (list, storage) => {
      const isNumber = storage === 'integer'
      const value = sql`JSON_TABLE(${list}, '$[*]' COLUMNS (${sql.id('value')} ${sql.raw(isNumber ? 'bigint' : 'longtext')} PATH '$')) AS ${sql.id('list')}`
      return sql`SELECT ${isNumber ? sql.id('list', 'value') : text(sql.id('list', 'value'))} FROM ${value}`
    },
    encodeList: values => JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    // Drivers return large integers as numbers.
    lossless: (value, storage) =>
      storage === 'text' || storage === 'double' || storage === 'boolean' ? value : sql`CAST(${value} AS char)`,
    nullOrder: () => sql``,
    limit: count => sql`LIMIT ${count}`,
    endless: sql`LIMIT 18446744073709551615`,
    forUpdate: sql`FOR UPDATE`,
    forKeyShare: sql`LOCK IN SHARE MODE`,
    jsonWriter: undefined,
  }
}

function extracted(place: JsonLocation): Sql {
  return sql`JSON_EXTRACT(${place.json}, ${sql.lit(jsonPath(place))})`
}

/** A path such as `$."a"."b"`. Names are identifiers, so that they need no escaping. */
function jsonPath({ path }: JsonLocation): string {
  return `$${path.map(name => `."${name}"`).join('')}`
}

function fromText(text: Sql, storage: Storage): Sql {
  switch (storage) {
    case 'integer':
      return sql`CAST(${text} AS signed)`
    case 'boolean':
      return sql`CASE ${text} WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END`
    case 'decimal':
    case 'exact':
      return sql`CAST(${text} AS decimal(65,30))`
    case 'double':
      return sql`CAST(${text} AS double)`
    default:
      return text
  }
}

type Operator = Parameters<Dialect['arithmetic']>[0]

/**
 * Products and quotients of decimal numbers lose digits, and quotients of floating-point numbers have no infinity. Integers of
 * 64 bits would overflow. Decimal numbers are not cast, because casts change what does not fit.
 */
function arithmetic(operator: Operator, left: Sql, right: Sql, kind: NumberKind): ComputedNumber {
  const [a, b] = [operand(left, kind), operand(right, kind)]
  switch (operator) {
    case 'add':
      return { sql: sql`(${a} + ${b})` }
    case 'sub':
      return { sql: sql`(${a} - ${b})` }
    case 'mul':
      if (kind === 'decimal') break
      return { sql: sql`(${a} * ${b})` }
    case 'div':
      if (kind !== 'integer') break
      return { sql: sql`(${a} DIV ${b})` }
    case 'mod':
      if (kind !== 'integer') break
      return { sql: sql`(${a} MOD ${b})` }
    default:
      break
  }
  throw refused(`'${operator}' for these numbers`)
}

function operand(value: Sql, kind: NumberKind): Sql {
  if (kind === 'decimal') return sql`(${value})`
  return kind === 'double' ? sql`CAST(${value} AS double)` : sql`CAST(${value} AS decimal(65,0))`
}

/** The engine rounds doubles as the C library does. This rounds half away from zero. */
function rounded(mode: 'round' | 'floor' | 'ceiling', value: Sql, kind: NumberKind): Sql {
  if (kind === 'integer') return value
  if (mode === 'round' && kind === 'double') return sql`(SIGN(${value}) * FLOOR(ABS(${value}) + 0.5))`
  return sql`${sql.raw(mode)}(${value})`
}
