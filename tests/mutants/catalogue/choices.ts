import type { Behaviour, EndpointContext } from '../service/behaviour.js'
import { type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('choices')

/** A request context with another value for a choice. */
function otherwise(at: EndpointContext, name: string, value: string, isOther: boolean): EndpointContext {
  if (!isOther) return at
  const behaviour: Behaviour = { ...at.behaviour, choices: { ...at.behaviour.choices, [name]: value } }
  return { ...at, behaviour }
}

/** Services that make a choice inconsistently. */
export const choicesMutants: readonly Mutant[] = [
  mutant('case-matters-for-ne-only', 'eq ignores letter case, ne does not.', correct => ({
    compare: (node, left, right, env) => {
      const at = otherwise(env.at, 'stringComparison', 'caseInsensitive', node.operator === 'eq')
      return correct.compare(node, left, right, { ...env, at })
    },
  })),
  mutant('null-compared-two-ways', 'eq with a null value is false, and its negation is unknown.', correct => ({
    compare: (node, left, right, env) => {
      const at = otherwise(env.at, 'nullEquality', 'threeValued', node.operator === 'ne')
      return correct.compare(node, left, right, { ...env, at })
    },
  })),
  mutant('nulls-sort-by-turns', 'Nulls sort first in one request and last in the next.', correct => ({
    compareSortValues: (left, right, item, at) =>
      correct.compareSortValues(left, right, item, otherwise(at, 'nullOrder', 'last', at.number % 2 === 0)),
  })),
  mutant(
    'unselected-by-turns',
    'Unselected properties are absent on the first page and present on later pages.',
    correct => ({
      includesProperty: (property, selected, row, at) =>
        correct.includesProperty(
          property,
          selected === undefined ? undefined : selected || at.options.skiptoken !== undefined,
          row,
          at,
        ),
    }),
  ),
  mutant('top-means-two-things', '$top limits the page, but with $orderby the whole list.', correct => ({
    page: (rows, at) => correct.page(rows, otherwise(at, 'topMeaning', 'total', at.options.orderby !== undefined)),
  })),
]
