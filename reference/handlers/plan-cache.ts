import type { QueryOptions } from '../../runtime/query/index.js'
import type { AnyCall } from '../../runtime/server/index.js'
import { type MovingSlots, movingSlots } from '../store/filter/moving-slots.js'
import { queryShape } from './query-shape.js'

/** Plans that a route keeps. */
const maxPlans = 256

/** Keeps the plans of the queries that a route was asked last, by their shape. */
export function planCache<Plan>(
  make: (options: QueryOptions, moving: MovingSlots) => Plan,
): (call: Pick<AnyCall, 'template'>) => Plan {
  const byOptions = new WeakMap<QueryOptions, { readonly plan: Plan }>()
  const byKey = new Map<string, Plan>()
  return ({ template: { options } }) => {
    const known = byOptions.get(options)
    if (known !== undefined) return known.plan
    const { key, moving } = queryShape(options)
    const plan = byKey.get(key) ?? make(options, movingSlots(moving))
    if (!byKey.has(key) && byKey.size >= maxPlans) {
      const [oldest] = byKey.keys()
      if (oldest !== undefined) byKey.delete(oldest)
    }
    byKey.set(key, plan)
    byOptions.set(options, { plan })
    return plan
  }
}
