import { PrintError } from '../print-error.js'

/** Characters of a query that `encodeURIComponent` encodes although they may stand as they are. */
const needless = /%(?:24|2C|3A|3D|40|2F|3F)/g

/**
 * Percent-encodes what has to be in the query of a URL: all but unreserved characters and `! $ ' ( ) * , : = @ / ?`. `+` and
 * `;` are encoded too, since there are services that take them for a space and for a separator.
 *
 * @throws {PrintError} for half of a surrogate pair, which has no UTF-8
 * @see RFC 3986, 3.4
 */
export function encodePercent(text: string): string {
  try {
    return encodeURIComponent(text).replace(needless, decodeURIComponent)
  } catch {
    throw new PrintError(`${JSON.stringify(text)} holds half of a surrogate pair, which no URL can.`)
  }
}
