import parser from 'odata-sequelize/odata-parser-generated.js'
import { binary, call, lambda, NoCounterpart, not, path, scalar } from '../tree.mjs'

/**
 * The PEG parser inside odata-sequelize, without the step that makes a Sequelize query of its tree.
 *
 * @type {import('../parsers.mjs').Parser}
 */
export const odataSequelize = {
  name: 'odata-sequelize (its PEG parser)',
  prepare: text => `$filter=${text}`,
  parse(query) {
    const result = parser.parse(query)
    if (result.error !== undefined) throw new SyntaxError(result.error)
    return result.$filter
  },
  tree: node => tree(node, []),
}

function tree(node, variables) {
  switch (node.type) {
    case 'literal':
      return scalar(node.value)
    case 'property':
      return path([node.name], variables)
    case 'pathProperty':
      return path([node.entity, node.property], variables)
    case 'functioncall':
      return call(
        node.func,
        node.args.map(item => argument(item, variables)),
      )
    case 'not':
      return not(tree(node.left, variables))
    case 'lambda':
      return lambda(
        node.operator,
        path([node.path], variables),
        node.variable,
        tree(node.condition, [...variables, node.variable]),
      )
    default:
      if (node.left === undefined || node.right === undefined) throw new NoCounterpart(node.type)
      return binary(node.type, tree(node.left, variables), tree(node.right, variables))
  }
}

/** A bare string among the arguments is a property, a bare number a number. */
function argument(item, variables) {
  if (typeof item === 'string') return path([item], variables)
  return typeof item === 'number' ? scalar(item) : tree(item, variables)
}
