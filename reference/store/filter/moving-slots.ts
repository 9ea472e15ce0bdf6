import type { Literal } from '../../../runtime/query/index.js'

/** Names of the slots that stand for literals whose values come when a statement runs. */
export type MovingSlots = ReadonlyMap<Literal, string>

/** Every literal is a value of the statement itself. */
export const noMovingSlots: MovingSlots = new Map<Literal, string>()

/** Names the slots of literals by their order. */
export function movingSlots(literals: readonly Literal[]): MovingSlots {
  return literals.length === 0 ? noMovingSlots : new Map(literals.map((literal, index) => [literal, movingSlot(index)]))
}

/** Name of the slot of a literal, by its place among those of a query. */
export function movingSlot(index: number): string {
  return `literal ${index}`
}
