import type { AnyCall } from '../../runtime/server/index.js'
import type { SlotValues } from '../store/engine/sql-value.js'
import { nowSlot } from '../store/filter/compile-call.js'
import { movingSlot } from '../store/filter/moving-slots.js'
import { keySlot, principalSlot } from '../store/read/scope.js'
import type { TokenSealer } from '../store/read/token.js'
import type { Store } from '../store/store.js'
import { queryShape } from './query-shape.js'

/** What generic handlers work with. */
export interface HandlerContext {
  readonly store: Store
  readonly sealer: TokenSealer
  /** The address of a request, without its query, as callers know it. Default: as it came in. */
  readonly publicAddress?: (url: string) => string
}

/** What a request gives to the statements that answer it. */
export function slotValues(
  call: Pick<AnyCall, 'keys' | 'parameters' | 'principal' | 'query'>,
  store: Store,
): SlotValues {
  const values: Record<string, unknown> = { [principalSlot]: call.principal.id, [nowSlot]: store.now() }
  for (const variable in call.keys) values[keySlot(variable)] = call.keys[variable]
  for (const name in call.parameters) values[`parameter ${name}`] = call.parameters[name]
  for (const [index, literal] of queryShape(call.query).moving.entries()) values[movingSlot(index)] = literal.value
  return values
}
