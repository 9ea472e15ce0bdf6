import { unfit } from './unfit.js'

const alphabet = /^[A-Za-z0-9_-]*$/

/**
 * Reads base64url, with or without padding, and for the sake of many clients plain base64. Handlers get base64url
 * without padding.
 *
 * @see OData JSON Format 4.01, 7.1 (primitive values)
 */
export function readBinary(text: string): string | typeof unfit {
  const value = text
    .replace(/={1,2}$/, '')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  return alphabet.test(value) && value.length % 4 !== 1 ? value : unfit
}
