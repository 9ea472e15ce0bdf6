import type { Capabilities, Condition } from './capabilities.js'

/**
 * The conditions that a request triggers and does not meet, in the order of the capabilities. The header's value is
 * compared without regard to letter case or surrounding space; another value is as good as none.
 *
 * @param constructs what `constructsOf` found, and `countPath` when the path ends in `/$count`
 * @param header the value of a request header, `null` when it is absent: `headers.get.bind(headers)`
 */
export function unmetConditions(
  constructs: readonly string[],
  capabilities: Capabilities,
  header: (name: string) => string | null,
): readonly Condition[] {
  const used = new Set(constructs)
  return capabilities.requires.filter(condition => {
    const isTriggered = condition.when.some(all => all.every(construct => used.has(construct)))
    return isTriggered && !isSame(header(condition.header.name), condition.header.value)
  })
}

function isSame(given: string | null, expected: string): boolean {
  return given !== null && given.trim().toLowerCase() === expected.trim().toLowerCase()
}
