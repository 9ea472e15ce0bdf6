/** Deeper than any metadata, and shallow enough for every stack. */
const deepest = 100

/** Members and items: many times those of the largest public service. */
const mostParts = 2_000_000

/** Whether brackets outside of strings are nested deeper, or hold more, than metadata ever do. */
export function isBeyondMetadata(text: string): boolean {
  let depth = 0
  let parts = 0
  let isString = false
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        isString = !isString
        break
      case 0x5c:
        if (isString) at++
        break
      case 0x5b:
      case 0x7b:
        if (!isString && ++depth > deepest) return true
        break
      case 0x2c:
        if (!isString && ++parts > mostParts) return true
        break
      case 0x5d:
      case 0x7d:
        if (!isString) depth--
        break
    }
  }
  return false
}
