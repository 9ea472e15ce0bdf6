import { parseFilter } from 'odata-filter-to-ast'
import { binary, call, list, NoCounterpart, not, path, scalar } from '../tree.mjs'

/** @type {import('../parsers.mjs').Parser} */
export const odataFilterToAst = {
  name: 'odata-filter-to-ast',
  prepare: text => text,
  parse: parseFilter,
  tree,
}

const operators = {
  OrExpr: 'or',
  AndExpr: 'and',
  InExpr: 'in',
  EqExpr: 'eq',
  NeExpr: 'ne',
  GtExpr: 'gt',
  GeExpr: 'ge',
  LtExpr: 'lt',
  LeExpr: 'le',
}

function tree(node) {
  switch (node.type) {
    case 'Primitive':
      return scalar(node.value)
    case 'MemberExpr':
      return path([node.value])
    case 'ArrayExpr':
      return list(node.value.map(tree))
    case 'FunctionExpr':
      // It parses `NOT(…)` as a function with the same meaning.
      if (node.name === 'NOT' && node.arguments.length === 1) return not(tree(node.arguments[0]))
      return call(node.name, node.arguments.map(tree))
    default:
      if (!Object.hasOwn(operators, node.type)) throw new NoCounterpart(node.type)
      return binary(operators[node.type], tree(node.left), tree(node.right))
  }
}
