import { patternMatcher } from './pattern-matcher.js'

/**
 * Whether a regular expression of ECMAScript (flag `u`) matches somewhere in a text.
 *
 * @throws {EvaluationError} as `patternMatcher`
 * @see OData 4.01 URL Conventions, 5.1.1.7.1
 */
export function matchesPattern(text: string, pattern: string): boolean {
  return patternMatcher(pattern)(text)
}
