/** `a='x,y',b=2` as names and written values; undefined when it is no such list. Commas within quotes are no separators. */
export function splitArguments(text: string): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>()
  if (text.trim() === '') return found
  let quoted = false
  let start = 0
  for (let index = 0; index <= text.length; index++) {
    if (text[index] === "'") quoted = !quoted
    if (index < text.length && (text[index] !== ',' || quoted)) continue
    const part = text.slice(start, index)
    const equals = part.indexOf('=')
    if (equals <= 0) return undefined
    found.set(part.slice(0, equals).trim(), part.slice(equals + 1).trim())
    start = index + 1
  }
  return found
}
