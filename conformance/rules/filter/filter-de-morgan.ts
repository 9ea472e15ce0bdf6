import { binary, not } from '../../probes/expressions.js'
import { filterRelation, mustBeEqual } from '../../rule/filter-relation.js'

const differs = mustBeEqual('A `not` of a group and the negations of its parts returned different rows.')

export const filterDeMorgan = filterRelation({
  id: 'filter-de-morgan',
  statement:
    '`not (P or Q)` returns the same rows as `not P and not Q`, and `not (P and Q)` the same rows as `not P or not Q`.',
  advice: 'Look at how `not` handles a group in parentheses, and at rows for which one operand is null.',
  aspects: ['filter.logical'],
  covers: ['filter.not', 'filter.and', 'filter.or'],
  severity: 'must',
  cost: 4,
  weight: 1,
  conditions: 2,
  isSupported: ({ has }) => has('not') && has('and') && has('or'),
  filters: ([p, q]) =>
    p &&
    q && [
      not(binary('or', p, q)),
      binary('and', not(p), not(q)),
      not(binary('and', p, q)),
      binary('or', not(p), not(q)),
    ],
  compare: answers => differs(answers.slice(0, 2)) ?? differs(answers.slice(2)),
})
