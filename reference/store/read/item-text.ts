import { sql } from 'kysely'
import type { ShownProperty } from '../../../runtime/server/response/shown-properties.js'
import type { Sql } from '../dialect/dialect.js'
import type { JsonWriting } from '../dialect/json-writing.js'
import { isDerived } from '../schema/is-derived.js'
import { versionColumn } from '../schema/store-schema.js'
import { keptProperties } from '../write/item-values.js'
import type { Scope } from './scope.js'

/** An item as the JSON that is sent: the engine writes but what is between the texts that all items begin and end with. */
export interface ItemText {
  readonly open: string
  readonly inner: Sql
  readonly close: string
  /**
   * Whether an item holds no objects and lists. `close`, a comma and `open` stand nowhere within it then: the first quotation
   * mark behind the brace would begin a name, have a backslash, or end a text, and no name stands behind that.
   */
  readonly isFlat: boolean
}

/**
 * An item of a scope, the row named `alias`, as text. Undefined: it needs more than the values of its columns, or values
 * that the engine cannot write.
 */
export function itemText(
  { table, type }: Scope,
  shown: readonly ShownProperty[],
  alias: string,
  writing: JsonWriting,
): ItemText | undefined {
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
  let isFlat = true
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
    if (column.type.kind === 'json') isFlat = false
    members.push([label, value])
  }
  const { open, inner, close } = merged(members)
  if (inner.length > writing.mostJoined) return undefined
  return { open, inner: writing.joined(inner), close, isFlat }
}

/** JSON that is the same in all items, or what differs. */
type Part = string | Sql

/** What differs, and the texts between. */
interface Merged extends Pick<ItemText, 'open' | 'close'> {
  readonly inner: readonly Sql[]
}

/** The object of all members, neighbouring texts as one. */
function merged(members: readonly (readonly Part[])[]): Merged {
  const inner: Sql[] = []
  let open: string | undefined
  let text = '{'
  for (const part of members.flatMap((member, index) => (index === 0 ? member : [',', ...member]))) {
    if (typeof part === 'string') text += part
    else {
      if (open === undefined) open = text
      else inner.push(sql.lit(text))
      inner.push(part)
      text = ''
    }
  }
  if (open !== undefined) return { open, inner, close: `${text}}` }
  return { open: text, inner: [sql.lit('')], close: '}' }
}
