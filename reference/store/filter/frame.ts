import type { Expression } from '../../../runtime/query/index.js'
import type { Dialect } from '../dialect/dialect.js'
import type { StoredType } from '../schema/storage.js'
import type { StoreSchema } from '../schema/store-schema.js'
import type { MovingSlots } from './moving-slots.js'
import type { GeoTraits, Operand } from './operand.js'
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
  /** Lambdas around it. */
  readonly lambdas: number
  /** How often the SQL of what stands here is in the statement: some operands are written several times. */
  readonly copies: number
  readonly budget: SizeBudget
  /** Makes a name for a table in the statement. */
  readonly alias: () => string
}

export interface ParameterType {
  readonly type: StoredType
  readonly collection: boolean
  /** Of a single spatial value. */
  readonly geo?: GeoTraits
}

/** Subqueries that may stand in each other: lambdas, and relations of a path. More is beyond what engines follow. */
export const maxSubqueries = 16

/** Nesting that SQL can follow on both engines; chains of `and` and `or` do not nest. */
const maxDepth = 150

/** What is left of the size that the SQL of one query may have, in nodes of its syntax tree, copies included. */
export interface SizeBudget {
  left: number
}

/** Far beyond what anybody asks for, and answered within moments. */
const maxSize = 20_000

export function sizeBudget(): SizeBudget {
  return { left: maxSize }
}

/** The frame one level deeper. @throws {RequestFault} for an expression that is too deep, or too large as SQL */
export function deeper(frame: Frame): Frame {
  if (frame.depth >= maxDepth)
    throw unsupported(frame.option, `The expression is nested more than ${maxDepth} levels deep.`)
  spend(frame)
  return { ...frame, depth: frame.depth + 1 }
}

/** The frame of an operand whose SQL is written several times. */
export function copied(frame: Frame, times: number): Frame {
  return { ...frame, copies: frame.copies * times }
}

/** Counts one more piece of SQL. @throws {RequestFault} */
export function spend({ budget, copies, option }: Frame): void {
  budget.left -= copies
  if (budget.left < 0) throw unsupported(option, 'The expression is too large for the store, or too deeply nested.')
}

/** Gives names to the tables of one statement. */
export function aliasSource(prefix: string): () => string {
  let count = 0
  return () => `${prefix}${++count}`
}
