import type { QueryOptions } from '../../runtime/query/index.js'
import { queryKey } from './query-key.js'

/** Plans that a route keeps. */
const maxPlans = 256

/** Keeps the plans of the queries that a route was asked last, by what they ask for. */
export function planCache<Plan>(make: (options: QueryOptions) => Plan): (options: QueryOptions) => Plan {
  const byOptions = new WeakMap<QueryOptions, { readonly plan: Plan }>()
  const byKey = new Map<string, Plan>()
  return options => {
    const known = byOptions.get(options)
    if (known !== undefined) return known.plan
    const key = queryKey(options)
    const plan = byKey.get(key) ?? make(options)
    if (!byKey.has(key) && byKey.size >= maxPlans) {
      const [oldest] = byKey.keys()
      if (oldest !== undefined) byKey.delete(oldest)
    }
    byKey.set(key, plan)
    byOptions.set(options, { plan })
    return plan
  }
}
