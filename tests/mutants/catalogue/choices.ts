import type { Behaviour, EndpointContext } from '../service/behaviour.js'
import { type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('choices')

/** An exchange in which a choice is made otherwise. */
function otherwise(at: EndpointContext, name: string, value: string, isOther: boolean): EndpointContext {
  if (!isOther) return at
  const behaviour: Behaviour = { ...at.behaviour, choices: { ...at.behaviour.choices, [name]: value } }
  return { ...at, behaviour }
}

/** Services that are not true to what they have chosen. */
export const choicesMutants: readonly Mutant[] = [
  mutant('case-matters-for-ne-only', 'eq disregards letter case, ne does not.', correct => ({
    compare: (node, left, right, env) => {
      const at = otherwise(env.at, 'stringComparison', 'caseInsensitive', node.operator === 'eq')
      return correct.compare(node, left, right, { ...env, at })
    },
  })),
  mutant(
    'case-matters-for-contains-only',
    'startsWith and endsWith disregard letter case, contains does not.',
    correct => ({
      call: (name, values, nodes, env) => {
        const at = otherwise(env.at, 'functionComparison', 'caseInsensitive', name !== 'contains')
        return correct.call(name, values, nodes, { ...env, at })
      },
    }),
  ),
  mutant('null-compared-two-ways', 'eq with a null value is false, and not eq is unknown.', correct => ({
    compare: (node, left, right, env) => {
      const at = otherwise(env.at, 'nullEquality', 'threeValued', node.operator === 'ne')
      return correct.compare(node, left, right, { ...env, at })
    },
  })),
  mutant('nulls-sort-by-turns', 'Nulls come first in one request and last in the next.', correct => ({
    compareSortValues: (left, right, item, at) =>
      correct.compareSortValues(left, right, item, otherwise(at, 'nullOrder', 'last', at.number % 2 === 0)),
  })),
  mutant(
    'unselected-by-turns',
    'What is not selected is absent in lists and given with its value on later pages.',
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
  mutant('top-means-two-things', '$top is the size of a page, and with $orderby that of the whole list.', correct => ({
    page: (rows, at) => correct.page(rows, otherwise(at, 'topMeaning', 'total', at.options.orderby !== undefined)),
  })),
]
