import { queryUses } from '../model/service.js'
import type { Check } from './check.js'

/** Query options are used by an endpoint. */
export const unusedQueryOptions: Check = ({ service, report, isIncomplete }) => {
  // An endpoint that could not be resolved, for its own sake or that of a key in its path, may use them.
  if (isIncomplete('/paths') || isIncomplete('/resources')) return
  const used = queryUses(service)
  for (const capabilities of service.queryCapabilities) {
    if (used.has(capabilities)) continue
    const message = `No endpoint uses the query options "${capabilities.name}". Remove them, or name them by \`query\`.`
    const at = capabilities.location.pointer
    report({ severity: 'warning', code: 'spec/unused-query-options', message, at, on: 'key' })
  }
}
