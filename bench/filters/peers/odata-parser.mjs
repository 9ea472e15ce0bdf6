import odata from 'odata-parser'
import { binary, call, NoCounterpart, nullLiteral, number, path, scalar } from '../tree.mjs'

/** @type {import('../parsers.mjs').Parser} */
export const odataParser = {
  name: 'odata-parser',
  prepare: text => `$filter=${text}`,
  parse(query) {
    const result = odata.parse(query)
    if (result.error !== undefined) throw new SyntaxError(result.error)
    return result.$filter
  },
  tree,
}

function tree(node) {
  switch (node.type) {
    case 'literal':
      return Array.isArray(node.value) ? keyword(node.value[0]) : scalar(node.value)
    case 'property':
      return path(node.name.split('/'))
    case 'functioncall':
      return call(node.func, node.args.map(tree))
    default:
      if (node.left === undefined || node.right === undefined) throw new NoCounterpart(node.type)
      return binary(node.type, tree(node.left), tree(node.right))
  }
}

/** `null`, `NaN`, `INF` and `-INF` come as a pair of the word and an optional suffix. */
const keyword = word => (word === 'null' ? nullLiteral : number(word))
