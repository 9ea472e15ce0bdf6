import type { Expression } from '../../../runtime/query/index.js'
import { filterRelation, mustBeEqual } from '../../rule/filter-relation.js'

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
