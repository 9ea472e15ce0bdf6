import type { Expression } from '../../runtime/query/index.js'
import type { Row } from '../json.js'
import { propertiesRead } from './properties-read.js'

/** Rows that a condition cannot tell apart. */
export interface Alike {
  /** One of them. */
  readonly row: Row
  /** The place of that one. */
  readonly index: number
  /** A bit for each of them. */
  readonly bits: bigint
}

/**
 * Groups rows by the properties that a condition reads, so that it is evaluated once where many rows hold the same: a flag,
 * null, no items.
 */
export function rowsAlike(rows: readonly Row[]): (condition: Expression) => readonly Alike[] {
  const single = rows.map((row, index): Alike => ({ row, index, bits: 1n << BigInt(index) }))
  const known = new Map<string, readonly Alike[]>()
  return condition => {
    const names = propertiesRead(condition)
    if (names === undefined) return single
    const properties = [...names].sort()
    const id = properties.join('/')
    const found = known.get(id) ?? grouped(single, properties)
    known.set(id, found)
    return found
  }
}

function grouped(single: readonly Alike[], properties: readonly string[]): readonly Alike[] {
  const groups = new Map<string, Alike>()
  for (const each of single) {
    const text = JSON.stringify(properties.map(name => (Object.hasOwn(each.row, name) ? [each.row[name]] : 'absent')))
    const group = groups.get(text)
    groups.set(text, group === undefined ? each : { ...group, bits: group.bits | each.bits })
  }
  return [...groups.values()]
}
