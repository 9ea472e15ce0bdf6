import type { Expression } from '../../../runtime/query/index.js'
import type { Dialect } from '../dialect/dialect.js'
import type { StoredType } from '../schema/storage.js'
import type { StoreSchema } from '../schema/store-schema.js'
import type { MovingSlots } from './moving-slots.js'
import type { Operand } from './operand.js'
import { unsupported } from './unsupported.js'

/** Where an expression stands while it becomes SQL. */
export interface Frame {
  readonly schema: StoreSchema
  readonly dialect: Dialect
  /** `$this`, and the start of paths without a root. */
  readonly current: Operand
  /** `$it`; undefined inside `$expand`, where it is an item of another statement. */
  readonly it: Operand | undefined
  readonly variables: ReadonlyMap<string, Operand>
  /** Parameter aliases of the request. */
  readonly aliases: Readonly<Record<string, Expression>>
  /** Aliases that stand for parameters of an operation: their values come when the statement runs. */
  readonly parameters: ReadonlyMap<string, ParameterType>
  /** Literals whose values come when the statement runs. */
  readonly moving: MovingSlots
  /** For messages: `$filter`, `$orderby`. */
  readonly option: string
  readonly depth: number
  /** Makes a name for a table in the statement. */
  readonly alias: () => string
}

export interface ParameterType {
  readonly type: StoredType
  readonly collection: boolean
}

/** Nesting that SQL can follow on both engines; chains of `and` and `or` do not nest. */
const maxDepth = 150

/** The frame one level deeper. */
export function deeper(frame: Frame): Frame {
  if (frame.depth >= maxDepth)
    throw unsupported(frame.option, `The expression is nested more than ${maxDepth} levels deep.`)
  return { ...frame, depth: frame.depth + 1 }
}

/** Gives names to the tables of one statement. */
export function aliasSource(prefix: string): () => string {
  let count = 0
  return () => `${prefix}${++count}`
}
