import { sql } from 'kysely'
import type { EnumType } from '../../../spec/language/index.js'
import type { Sql } from '../dialect/dialect.js'
import type { Frame } from './frame.js'

/** The text of a number: the member that has it, else of flags the members that make it up, else the number. */
export function textOfMembers(number: Sql, { members, flags }: EnumType): Sql {
  const exact = members.map(({ name, value }) => sql`WHEN ${sql.lit(value)} THEN ${sql.lit(name)}`)
  const parts = flags ? members.filter(({ value }) => value !== 0) : []
  const names = parts.map(({ name, value }) => sql`CASE WHEN ${hasAll(value)} THEN ${sql.lit(`,${name}`)} ELSE '' END`)
  const made = sql`WHEN ${sumOf(parts)} THEN substr(${sql.join([sql`''`, ...names], sql` || `)}, 2)`
  const text = sql`CASE n ${sql.join(exact, sql` `)} ${parts.length === 0 ? sql`` : made} ELSE CAST(n AS text) END`
  return ofNumber(text, number)
}

/** A number, if it is one of the enumeration: flags may be of numbers that no members make up. */
export function memberNumber(number: Sql, { members, flags }: EnumType): Sql {
  if (flags) return number
  return ofNumber(sql`CASE WHEN n IN (${sql.join(members.map(({ value }) => sql.lit(value)))}) THEN n END`, number)
}

/** Something of a number `n`, whose SQL is written once: the engines would repeat that of a table without an end. */
function ofNumber(value: Sql, number: Sql): Sql {
  return sql`(SELECT ${value} FROM (SELECT ${number} AS n LIMIT 1) AS given)`
}

/** The number of the member that a text names, of flags the members; null where it names others. */
export function numberOfNames(text: Sql, { members, flags }: EnumType, { dialect, alias }: Frame): Sql {
  const cases = members.map(({ name, value }) => sql`WHEN ${sql.lit(name)} THEN ${sql.lit(value)}`)
  if (!flags) return sql`CASE ${text} ${sql.join(cases, sql` `)} END`
  const words = alias()
  const number = sql`CASE ${dialect.trim(sql.id(words, 'value'))} ${sql.join(cases, sql` `)} END`
  const bits = bitsOf(members).map(bit => sql`max(n & ${sql.lit(bit)})`)
  const together = bits.length === 0 ? sql`max(n)` : sql.join(bits, sql` + `)
  return sql`(SELECT CASE WHEN count(*) = count(n) THEN ${together} END FROM (SELECT ${number} AS n FROM ${dialect.commaSeparated(text, words)}) AS named)`
}

type Members = EnumType['members']

/** Each bit that a member has. */
function bitsOf(members: Members): readonly number[] {
  const all = members.reduce((bits, { value }) => bits | value, 0)
  return Array.from({ length: 31 }, (_, place) => 2 ** place).filter(bit => (all & bit) !== 0)
}

function hasAll(value: number): Sql {
  return sql`(n & ${sql.lit(value)}) = ${sql.lit(value)}`
}

/** The bits of those members that `n` has. */
function sumOf(members: Members): Sql {
  const bits = members.map(({ value }) => sql`CASE WHEN ${hasAll(value)} THEN ${sql.lit(value)} ELSE 0 END`)
  return sql`(${sql.join(bits, sql` | `)})`
}
