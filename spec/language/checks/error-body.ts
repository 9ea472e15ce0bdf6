import type { ErrorDefinition } from '../model/service.js'
import type { Check } from './check.js'

/** A member of the error body is either required or optional. */
export const errorBody: Check = ({ service, report }) => {
  const { required, optional } = service.errorBody
  for (const [index, name] of optional.entries()) {
    if (!required.includes(name)) continue
    const message = `"${name}" is among the required members already. Remove it from one of the two lists.`
    const related = [{ message: 'required here', at: `/errorBody/required/${required.indexOf(name)}` }]
    report({ code: 'spec/error-body', message, at: `/errorBody/optional/${index}`, related })
  }
}

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

/**
 * Missing credentials get 401, and insufficient ones 403, or 404 where even the existence is secret.
 *
 * @see RFC 6750, 3.1, and RFC 9110, 15.5.2 and 15.5.4
 */
export const authenticationStatus: Check = ({ service, report }) => {
  const { missing, insufficient, location } = service.authentication
  if (missing !== undefined && missing.status !== 401) {
    const message = `"${missing.name}" has the status ${missing.status}. The status for missing credentials is 401.`
    report({ code: 'spec/authentication-status', message, at: `${location.pointer}/missing` })
  }
  if (insufficient !== undefined && insufficient.status !== 403 && insufficient.status !== 404) {
    const message = `"${insufficient.name}" has the status ${insufficient.status}. The status for insufficient credentials is 403 or 404.`
    report({ code: 'spec/authentication-status', message, at: `${location.pointer}/insufficient` })
  }
}
