/** Deeper than any metadata, and shallow enough for every stack. */
const deepest = 100

/** Whether brackets outside of strings are nested deeper than metadata ever are. */
export function isNestedTooDeep(text: string): boolean {
  let depth = 0
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
      case 0x5d:
      case 0x7d:
        if (!isString) depth--
        break
    }
  }
  return false
}
