import type { Expression } from '../../../runtime/query/index.js'
import { mapExpression } from './map-expression.js'

/** How many nodes an expression has. */
export function countNodes(expression: Expression): number {
  let count = 0
  mapExpression(expression, node => {
    count++
    return node
  })
  return count
}
