import type { Expression } from '../../runtime/query/index.js'
import type { Row } from '../json.js'
import { propertiesReadBy } from './expressions.js'

/** The truth sets of an expression on many rows, with one bit per row for true, false and null. */
export interface TruthVector {
  readonly mayBeTrue: bigint
  readonly mayBeFalse: bigint
  readonly mayBeNull: bigint
}

export function andVectors(a: TruthVector, b: TruthVector): TruthVector {
  return {
    mayBeTrue: a.mayBeTrue & b.mayBeTrue,
    mayBeFalse: a.mayBeFalse | b.mayBeFalse,
    mayBeNull: (a.mayBeNull & (b.mayBeTrue | b.mayBeNull)) | (b.mayBeNull & (a.mayBeTrue | a.mayBeNull)),
  }
}

export function notVector({ mayBeTrue, mayBeFalse, mayBeNull }: TruthVector): TruthVector {
  return { mayBeTrue: mayBeFalse, mayBeFalse: mayBeTrue, mayBeNull }
}

export function orVectors(a: TruthVector, b: TruthVector): TruthVector {
  return {
    mayBeTrue: a.mayBeTrue | b.mayBeTrue,
    mayBeFalse: a.mayBeFalse & b.mayBeFalse,
    mayBeNull: (a.mayBeNull & (b.mayBeFalse | b.mayBeNull)) | (b.mayBeNull & (a.mayBeFalse | a.mayBeNull)),
  }
}

export function isSameVector(a: TruthVector, b: TruthVector): boolean {
  return a.mayBeTrue === b.mayBeTrue && a.mayBeFalse === b.mayBeFalse && a.mayBeNull === b.mayBeNull
}

/** The rows on which it is certainly true. */
export function certainlyTrue({ mayBeTrue, mayBeFalse, mayBeNull }: TruthVector): bigint {
  return mayBeTrue & ~mayBeFalse & ~mayBeNull
}

/** Whether one result excludes the other: on some row, one is certainly true and the other cannot be. */
export function areDistinguishable(a: TruthVector, b: TruthVector): boolean {
  return (certainlyTrue(a) & ~b.mayBeTrue) !== 0n || (certainlyTrue(b) & ~a.mayBeTrue) !== 0n
}

/** Rows that a condition cannot distinguish. */
export interface RowClass {
  /** A representative. */
  readonly row: Row
  /** The index of the representative. */
  readonly index: number
  /** One bit per row. */
  readonly bits: bigint
}

/**
 * Groups rows by the properties that a condition reads, so that a condition is evaluated once for all rows with the
 * same values.
 */
export function equivalentRows(rows: readonly Row[]): (condition: Expression) => readonly RowClass[] {
  const single = rows.map((row, index): RowClass => ({ row, index, bits: 1n << BigInt(index) }))
  const known = new Map<string, readonly RowClass[]>()
  return condition => {
    const names = propertiesReadBy(condition)
    if (names === undefined) return single
    const properties = [...names].sort()
    const id = properties.join('/')
    const found = known.get(id) ?? grouped(single, properties)
    known.set(id, found)
    return found
  }
}

function grouped(single: readonly RowClass[], properties: readonly string[]): readonly RowClass[] {
  const groups = new Map<string, RowClass>()
  for (const each of single) {
    const text = JSON.stringify(properties.map(name => (Object.hasOwn(each.row, name) ? [each.row[name]] : 'absent')))
    const group = groups.get(text)
    groups.set(text, group === undefined ? each : { ...group, bits: group.bits | each.bits })
  }
  return [...groups.values()]
}
