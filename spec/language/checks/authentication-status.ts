import type { Check } from './check.js'

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
