import type { Expression } from '../../../runtime/query/index.js'
import type { Behaviour } from '../service/behaviour.js'
import { mapExpression } from './map-expression.js'

/** Understands `$filter` otherwise: as a whole. */
export function changeFilter(change: (filter: Expression) => Expression): Pick<Behaviour, 'understand'> {
  return {
    understand: options => (options.filter === undefined ? options : { ...options, filter: change(options.filter) }),
  }
}

/** Understands each node of `$filter` otherwise. */
export function changeNodes(change: (node: Expression) => Expression): Pick<Behaviour, 'understand'> {
  return changeFilter(filter => mapExpression(filter, change))
}

/** Reads each string literal of `$filter` otherwise. */
export function changeStrings(change: (text: string) => string): Pick<Behaviour, 'understand'> {
  return changeNodes(node =>
    node.kind === 'literal' && node.type === 'String' ? { ...node, value: change(node.value) } : node,
  )
}
