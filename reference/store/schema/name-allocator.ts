/** PostgreSQL cuts names after 63 bytes; what indexes and link tables add must fit, too. */
const maxBytes = 40

/**
 * Gives names that no other has: SQLite takes `Name` and `name` for one column, PostgreSQL cuts long names. The same names
 * asked for in the same order give the same answers, so that a store is found again.
 */
export function nameAllocator(): (wanted: string) => string {
  const taken = new Set<string>()
  return wanted => {
    const short = shortened(wanted)
    let name = short
    for (let next = 2; taken.has(name.toLowerCase()); next++) name = `${short}$${next}`
    taken.add(name.toLowerCase())
    return name
  }
}

function shortened(name: string): string {
  if (byteLength(name) <= maxBytes) return name
  let short = ''
  for (const character of name) {
    if (byteLength(short + character) > maxBytes) break
    short += character
  }
  return short
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength
}
