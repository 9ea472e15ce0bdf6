import type { Answer } from '../../http/answer.js'
import { isRow } from '../../is-row.js'
import { disorderOf } from '../../reading/disorder.js'
import { sortKeysOf, sortValues } from '../../reading/sort-key.js'
import type { Finding } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import type { QueriedCall } from './queried-call.js'

/** What is wrong with the order of a result, where the meaning of the operation has one. */
export function disorderFinding(
  values: readonly unknown[],
  { meaning, endpoint }: QueriedCall,
  answers: readonly Answer[],
  session: Session,
): Finding | undefined {
  const { orderby, of, value, assumed } = meaning
  // An order that the interface does not speak of is one service's own.
  const isOpen = orderby === undefined || value !== undefined || assumed !== undefined
  const keys = isOpen ? undefined : sortKeysOf({ orderby }, of.type)
  const rows = values.filter(isRow)
  if (keys === undefined || rows.length !== values.length) return undefined
  const sorted = rows.map(row => sortValues(row, keys, undefined))
  const disorder = disorderOf(sorted, keys, session)
  if (disorder === undefined) return undefined
  const { before, after, key } = disorder
  return {
    message: `The operation ${endpoint.operation.name} gives its items in another order than its query has.`,
    expected: `${key.leaf.path.join('/')} ${key.direction}`,
    received: `${JSON.stringify(sorted[before])} before ${JSON.stringify(sorted[after])}`,
    answers,
    features: [`operation.${endpoint.operation.name}`, 'order'],
  }
}
