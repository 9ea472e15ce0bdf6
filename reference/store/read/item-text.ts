import { sql } from 'kysely'
import type { ShownProperty } from '../../../runtime/server/response/shown-properties.js'
import type { Sql } from '../dialect/dialect.js'
import type { JsonWriting } from '../dialect/json-writing.js'
import { isDerived } from '../schema/is-derived.js'
import { versionColumn } from '../schema/store-schema.js'
import { keptProperties } from '../write/item-values.js'
import type { Scope } from './scope.js'

/**
 * An item of a scope, the row named `alias`, as the JSON that is sent. Undefined: it needs more than the values of its
 * columns, or values that the engine cannot write.
 */
export function itemText(
  { table, type }: Scope,
  shown: readonly ShownProperty[],
  alias: string,
  writing: JsonWriting,
): Sql | undefined {
  const [only, ...others] = table.types.filter(candidate => isDerived(candidate, type))
  if (only !== type || others.length > 0 || type.open) return undefined
  const members: (readonly Part[])[] = []
  if (type.entityTag !== 'none') {
    members.push([
      `"@odata.etag":"${type.entityTag === 'weak' ? 'W/' : ''}\\"`,
      sql`${sql.id(alias, versionColumn)}`,
      '\\""',
    ])
  }
  const kept = new Map(keptProperties(type).map(property => [property.name, property]))
  for (const { name, below = [], isBlank } of shown) {
    const property = kept.get(name)
    const label = `${JSON.stringify(name)}:`
    if (isBlank) {
      members.push([`${label}null`])
      continue
    }
    if (property === undefined || below.length > 0) return undefined
    const column = table.columnOf(property)
    const value = writing.value(sql`${sql.id(alias, column.name)}`, column.type)
    if (value === undefined) return undefined
    members.push([label, value])
  }
  const parts = merged(['{', ...members.flatMap((member, index) => (index === 0 ? member : [',', ...member])), '}'])
  return parts.length > writing.mostJoined ? undefined : writing.joined(parts)
}

/** JSON that is the same in all items, or what differs. */
type Part = string | Sql

/** The parts as SQL, neighbouring texts as one. */
function merged(parts: readonly Part[]): readonly Sql[] {
  const all: Sql[] = []
  let text = ''
  for (const part of parts) {
    if (typeof part === 'string') text += part
    else {
      all.push(sql.lit(text), part)
      text = ''
    }
  }
  return [...all, sql.lit(text)]
}
