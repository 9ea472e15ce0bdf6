import type { Expression, QueryOptions } from '../../../runtime/query/index.js'
import type { Case } from '../../rule/case.js'

/** How much there is to read in a case: nodes of its expressions, and options. */
export function sizeOf({ options, predicates, steps }: Case): number {
  const expressions = (predicates ?? []).reduce((sum, predicate) => sum + nodesOf(predicate), 0)
  return expressions + (options === undefined ? 0 : optionsSize(options)) + (steps?.length ?? 0)
}

function optionsSize(options: QueryOptions): number {
  const { filter, expand, ...others } = options
  const nested = (expand ?? []).reduce((sum, item) => sum + 1 + optionsSize(item.options ?? {}), 0)
  const lists = [others.orderby, others.select].reduce((sum, list) => sum + (list?.length ?? 0), 0)
  const single = [others.top, others.skip, others.count, others.search].filter(each => each !== undefined).length
  return (filter === undefined ? 0 : nodesOf(filter)) + nested + lists + single
}

/** Operators, functions, paths and literals. */
function nodesOf(expression: Expression): number {
  switch (expression.kind) {
    case 'unary':
      return 1 + nodesOf(expression.operand)
    case 'binary':
      return 1 + nodesOf(expression.left) + nodesOf(expression.right)
    case 'call':
      return expression.arguments.reduce((sum, argument) => sum + nodesOf(argument), 1)
    case 'lambda':
      return 2 + (expression.predicate === undefined ? 0 : nodesOf(expression.predicate))
    case 'list':
      return expression.items.reduce((sum, item) => sum + nodesOf(item), 1)
    default:
      return 1
  }
}
