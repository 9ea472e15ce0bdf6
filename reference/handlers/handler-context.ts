import type { AnyCall } from '../../runtime/server/index.js'
import type { SlotValues } from '../store/engine/sql-value.js'
import { nowSlot } from '../store/filter/compile-call.js'
import { keySlot, principalSlot } from '../store/read/scope.js'
import type { TokenSealer } from '../store/read/token.js'
import type { Store } from '../store/store.js'
import { instantOf } from '../store/value/moment.js'

/** What generic handlers work with. */
export interface HandlerContext {
  readonly store: Store
  readonly sealer: TokenSealer
  /** The address of a request, without its query, as callers know it. Default: as it came in. */
  readonly publicAddress?: (url: string) => string
}

/** What a request gives to the statements that answer it. */
export function slotValues(call: Pick<AnyCall, 'keys' | 'parameters' | 'principal'>, store: Store): SlotValues {
  const values: Record<string, unknown> = Object.create(null)
  values[principalSlot] = call.principal.id
  Object.defineProperty(values, nowSlot, { get: () => instantOf(store.now()), enumerable: false })
  for (const [variable, value] of Object.entries(call.keys)) values[keySlot(variable)] = value
  for (const [name, value] of Object.entries(call.parameters)) values[`parameter ${name}`] = value
  return values
}
