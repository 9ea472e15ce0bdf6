import { isToken } from '../http/media-type.js'
import type { Outgoing } from '../outgoing.js'

const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Whether every server can send a response: a handler may have put into a header what no header can hold.
 *
 * @param standard headers that are known to be sound
 * @see RFC 9110, 5.5 (field values)
 */
export function isSendable({ status, headers }: Outgoing, standard: Outgoing['headers'] = {}): boolean {
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined || value === standard[name]) continue
    if (!(fieldValue.test(value) && isToken(name))) return false
  }
  return isStatus(status)
}

/** Whether a number can be the status of a final response. */
export function isStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 200 && status <= 599
}
