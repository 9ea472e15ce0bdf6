import type { ErrorDefinition } from '../model/service.js'
import type { Check } from './check.js'

/** One error code goes with one status, so that who knows the code knows the status. */
export const errorCodeStatus: Check = ({ service, report }) => {
  const first = new Map<string, ErrorDefinition>()
  for (const error of service.errors) {
    const other = first.get(error.code)
    if (other === undefined) first.set(error.code, error)
    if (other === undefined || other.status === error.status || error.builtIn) continue
    const message = `The code "${error.code}" has the status ${other.status} elsewhere, and ${error.status} here. Use one status for a code.`
    const related = [{ message: `status ${other.status} here`, at: `${other.location.pointer}/status` }]
    report({ code: 'spec/error-code-status', message, at: `${error.location.pointer}/status`, related })
  }
}
