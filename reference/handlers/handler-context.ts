import type { AnyCall } from '../../runtime/server/index.js'
import type { SlotValues } from '../store/engine/sql-value.js'
import type { nowSlot } from '../store/filter/compile-call.js'
import { movingSlot } from '../store/filter/moving-slots.js'
import { keySlot, type principalSlot } from '../store/read/scope.js'
import type { TokenSealer } from '../store/read/token.js'
import type { Store } from '../store/store.js'
import { movingValues } from './query-shape.js'

/** What generic handlers work with. */
export interface HandlerContext {
  readonly store: Store
  readonly sealer: TokenSealer
  /** The address of a request, without its query, as callers know it. Default: as it came in. */
  readonly publicAddress?: (url: string) => string
}

/** What a request gives to the statements that answer it. */
export function slotValues(
  call: Pick<AnyCall, 'keys' | 'parameters' | 'principal' | 'template'>,
  store: Store,
): SlotValues {
  // Spelt out, since names that are computed in a literal cost more than all that follows.
  const values: Record<string, unknown> & Record<typeof principalSlot | typeof nowSlot, unknown> = {
    principal: call.principal.id,
    now: store.now(),
  }
  for (const variable in call.keys) values[keySlot(variable)] = call.keys[variable]
  for (const name in call.parameters) values[`parameter ${name}`] = call.parameters[name]
  const moving = movingValues(call.template)
  for (let index = 0; index < moving.length; index++) values[movingSlot(index)] = moving[index]
  return values
}
