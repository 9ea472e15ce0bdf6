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

export const filterAnyVariable = filterRelation({
  id: 'filter-any-variable',
  statement: 'Renaming the variable of `any` does not change the result.',
  advice: 'Look at how you resolve the variable. It may have any name that is a valid identifier.',
  aspects: ['filter.lambda'],
  covers: ['filter.any'],
  severity: 'must',
  cost: 2,
  weight: 1,
  conditions: 1,
  isSupported: ({ has, collections }) => has('any') && collections.length > 0,
  accepts: filter => filter.kind === 'lambda',
  filters: ([p]) => {
    if (p?.kind !== 'lambda' || p.predicate === undefined) return undefined
    return [p, { ...p, variable: 'item', predicate: renamed(p.predicate) }]
  },
  compare: mustBeEqual('Renaming the variable of `any` changed the rows.'),
  rejected: 'It answers a filter with `any`, and rejects it with another name for the variable.',
})

function renamed(expression: Expression): Expression {
  switch (expression.kind) {
    case 'path':
      return expression.root?.kind === 'variable'
        ? { ...expression, root: { kind: 'variable', name: 'item' } }
        : expression
    case 'unary':
      return { ...expression, operand: renamed(expression.operand) }
    case 'binary':
      return { ...expression, left: renamed(expression.left), right: renamed(expression.right) }
    case 'call':
      return { ...expression, arguments: expression.arguments.map(renamed) }
    default:
      return expression
  }
}
