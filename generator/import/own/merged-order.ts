/**
 * One order that keeps several: each list's own, and that of their common members. What is free comes in the order of the
 * lists. Orders that contradict each other are kept as far as they do not.
 */
export function mergedOrder(lists: readonly (readonly string[])[]): readonly string[] {
  const all = [...new Set(lists.flat())]
  const before = new Map(all.map(name => [name, new Set<string>()]))
  for (const list of lists) {
    for (const [index, name] of list.entries()) {
      const previous = list[index - 1]
      if (previous !== undefined && previous !== name) before.get(name)?.add(previous)
    }
  }
  const merged = new Set<string>()
  const waiting = new Set(all)
  while (waiting.size > 0) {
    const [first = ''] = waiting
    const isReady = (name: string): boolean => [...(before.get(name) ?? [])].every(each => merged.has(each))
    const next = [...waiting].find(isReady) ?? first
    waiting.delete(next)
    merged.add(next)
  }
  return [...merged]
}
