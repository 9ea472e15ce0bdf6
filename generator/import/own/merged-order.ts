/**
 * One order that keeps several: each list's own, and that of their common members. What is free comes in the order of the
 * lists. Orders that contradict each other are kept as far as they do not.
 */
export function mergedOrder(lists: readonly (readonly string[])[]): readonly string[] {
  const before = new Map<string, string[]>()
  for (const list of lists) {
    for (const [index, name] of list.entries()) {
      const known = before.get(name) ?? []
      const previous = list[index - 1]
      if (previous !== undefined) known.push(previous)
      before.set(name, known)
    }
  }
  const merged = new Set<string>()
  const waiting = new Set<string>()
  for (const name of before.keys()) {
    // Depth first without recursion: what must come before is put on top.
    const path = [name]
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      waiting.add(top)
      const missing = before.get(top)?.find(each => !merged.has(each) && !waiting.has(each))
      if (missing !== undefined) path.push(missing)
      else {
        merged.add(top)
        waiting.delete(top)
        path.pop()
      }
    }
  }
  return [...merged]
}
