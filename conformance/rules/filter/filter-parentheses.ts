import { binary } from '../../probes/expressions.js'
import { filterRelation, mustBeEqual } from '../../rule/filter-relation.js'

export const filterParentheses = filterRelation({
  id: 'filter-parentheses',
  statement: '`(P or Q) and R` returns the same rows as `P and R or Q and R`.',
  advice: 'Check that the translation keeps parentheses, and check operator precedence.',
  aspects: ['filter.logical'],
  covers: ['filter.and', 'filter.or'],
  severity: 'must',
  cost: 2,
  weight: 2,
  conditions: 3,
  isSupported: ({ has }) => has('and') && has('or'),
  filters: ([p, q, r]) =>
    p && q && r && [binary('and', binary('or', p, q), r), binary('or', binary('and', p, r), binary('and', q, r))],
  compare: mustBeEqual('A filter with parentheses and the same filter expanded returned different rows.'),
})
