/**
 * What a violation most likely comes from: the smallest part of its features that was in no case that passed. What passed
 * elsewhere is not to blame; when all did, it is their combination.
 *
 * @param passed the constructs of cases that passed and told something apart
 */
export function causeOf(features: readonly string[], passed: readonly ReadonlySet<string>[]): readonly string[] {
  const sorted = [...new Set(features)].sort()
  // What no passing case could have named says nothing by itself.
  const named = sorted.filter(isConstruct)
  const isCleared = (part: readonly string[]): boolean => passed.some(set => part.every(feature => set.has(feature)))
  for (const feature of named) if (!isCleared([feature])) return [feature]
  for (const [index, first] of named.entries()) {
    for (const second of named.slice(index + 1)) if (!isCleared([first, second])) return [first, second]
  }
  return sorted
}

function isConstruct(feature: string): boolean {
  return /^(?:filter|orderby|expand|select|search|top|skip|count)(?:[.:]|$)/.test(feature)
}
