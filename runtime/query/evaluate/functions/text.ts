import { matchesPattern } from '../pattern/matches-pattern.js'
import { string } from '../value.js'
import { type CanonicalFunction, textArgument } from './function.js'

const whitespace = /^\p{White_Space}$/u

/** @see OData 4.01 URL Conventions, 5.1.1.7 */
export const textFunctions: Readonly<Record<string, CanonicalFunction>> = {
  tolower: ([value]) => string(textArgument('tolower', value).toLowerCase()),
  toupper: ([value]) => string(textArgument('toupper', value).toUpperCase()),
  trim: ([value]) => string(trim(textArgument('trim', value))),
  matchespattern: ([value, pattern]) =>
    matchesPattern(textArgument('matchespattern', value), textArgument('matchespattern', pattern)),
}

/** Unlike `String.prototype.trim`, takes away exactly what Unicode calls white space. */
function trim(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && whitespace.test(text.charAt(start))) start += 1
  while (end > start && whitespace.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}
