import type { StorePlan } from './table-plan.js'

/** The plan that a store keeps of itself. It wrote it, so that its shape is trusted as far as it goes. */
export function readPlan(text: string | undefined): StorePlan | undefined {
  if (text === undefined) return undefined
  const plan: unknown = JSON.parse(text)
  if (isPlan(plan)) return plan
  throw new TypeError('The store does not know its own tables: the row "plan" of "_specwright" was changed.')
}

function isPlan(value: unknown): value is StorePlan {
  return typeof value === 'object' && value !== null && 'tables' in value && Array.isArray(value.tables)
}
