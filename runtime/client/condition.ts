import type { HeaderList } from './connection.js'
import type { OptionTexts } from './query-string.js'

/**
 * A header that a query needs when it uses certain constructs. Generated code declares it from `requires` of the spec,
 * also where the spec leaves open whether a service insists.
 */
export interface Condition {
  /**
   * Any of these; each is a list of constructs that must all occur: an option, `search`, or what a filter uses,
   * `filter.contains`. An empty list always holds.
   */
  readonly when: readonly (readonly string[])[]
  readonly header: readonly [name: string, value: string]
}

/** The headers that a query needs. */
export const neededHeaders = (conditions: readonly Condition[], query: OptionTexts): HeaderList => {
  const occurs = (construct: string): boolean => {
    const [option, ...name] = construct.split('.')
    return query.some(([given, text]) => given === option && (!name.length || words(text).includes(name.join('.'))))
  }
  return conditions.filter(({ when }) => when.some(all => all.every(occurs))).map(({ header }) => header)
}

/** The names in an expression, string literals aside: among them its operators and functions. */
const words = (text: string): readonly string[] =>
  text
    .replace(/'[^']*'/g, '')
    .toLowerCase()
    .match(/[\w.]+/g) ?? []
