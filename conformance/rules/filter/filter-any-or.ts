import type { Expression } from '../../../runtime/query/index.js'
import { binary } from '../../probes/expressions.js'
import { filterRelation, mustBeEqual } from '../../rule/filter-relation.js'

export const filterAnyOr = filterRelation({
  id: 'filter-any-or',
  statement: '`c/any(x:A or B)` returns the same rows as `c/any(x:A) or c/any(x:B)`.',
  advice: 'Look at where the translated condition of `any` ends: an `or` inside it must not extend beyond it.',
  aspects: ['filter.lambda'],
  covers: ['filter.any'],
  severity: 'must',
  cost: 2,
  weight: 1,
  conditions: 1,
  isSupported: ({ has, collections }) => has('any') && has('or') && collections.length > 0,
  accepts: isAnyOr,
  filters: ([p]) => {
    if (p?.kind !== 'lambda' || p.predicate?.kind !== 'binary' || p.predicate.operator !== 'or') return undefined
    return [p, binary('or', { ...p, predicate: p.predicate.left }, { ...p, predicate: p.predicate.right })]
  },
  compare: mustBeEqual('`any` of an `or` and the `or` of two `any` returned different rows.'),
})

function isAnyOr(filter: Expression): boolean {
  return (
    filter.kind === 'lambda' &&
    filter.operator === 'any' &&
    filter.predicate?.kind === 'binary' &&
    filter.predicate.operator === 'or'
  )
}
