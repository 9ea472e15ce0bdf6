import { patternMatcher } from '../../../runtime/query/evaluate/pattern/pattern-matcher.js'

/** Patterns that stay compiled. */
const mostKept = 100

/** Whether a pattern, which has been checked, matches in a text: patterns that come again are not compiled anew. */
export function createMatcherCache(): (text: string, pattern: string) => boolean {
  const kept = new Map<string, (text: string) => boolean>()
  return (text, pattern) => {
    const known = kept.get(pattern)
    if (known !== undefined) return known(text)
    const matcher = patternMatcher(pattern)
    if (kept.size >= mostKept) {
      const [oldest] = kept.keys()
      if (oldest !== undefined) kept.delete(oldest)
    }
    kept.set(pattern, matcher)
    return matcher(text)
  }
}
