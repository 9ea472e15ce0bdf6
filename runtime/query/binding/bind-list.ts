import type { ListExpression } from '../ast.js'
import { bindNode } from './bind-expression.js'
import type { Frame } from './frame.js'
import { type SingleType, type StaticType, untyped } from './static-type.js'

/** A list of values is a collection; of one type when its items, nulls aside, are. */
export function bindList(list: ListExpression, frame: Frame): StaticType {
  const types = list.items.map(item => bindNode(item, frame))
  frame.itemTypes.set(list, types)
  let of: SingleType | undefined
  for (const type of types) {
    if (type.kind === 'null') continue
    of = type.kind === 'collection' || (of !== undefined && !isSameType(of, type)) ? untyped : type
  }
  return { kind: 'collection', of: of ?? untyped }
}

function isSameType(left: SingleType, right: SingleType): boolean {
  return left.kind === right.kind && 'name' in left && 'name' in right && left.name === right.name
}
