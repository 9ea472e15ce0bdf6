import type { PathTarget } from './path-walk.js'

/** What a path stands for, in words. */
export function describeTarget(target: PathTarget): string {
  switch (target.kind) {
    case 'items':
      return `a collection of "${target.type.name}"`
    case 'item':
      return `one "${target.type.name}"`
    case 'value':
      return `${target.collection ? 'a collection of values' : 'a value'} of "${target.type.name}"`
    case 'count':
      return 'a count'
    case 'delta':
      return `the changes of "${target.type.name}"`
    case 'operation':
      return `the ${target.operation.kind} "${target.operation.name}"`
  }
}
