import type { OrderbyItem, PathExpression } from '../ast.js'
import type { CheckContext } from './check-context.js'
import { followTrail, nearestException, type PropertyTrail } from './property-trail.js'

/**
 * Each key of `$orderby` must be a property that the endpoint sorts by: all structural ones unless the capabilities say
 * `only`; relations and `$count` when they are named. Keys that compute something have no word in the capabilities.
 */
export function checkOrderby(items: readonly OrderbyItem[], current: PropertyTrail, context: CheckContext): void {
  const { report, capabilities } = context
  const { support, maxKeys } = capabilities.orderby
  if (support === 'none') {
    report('$orderby', 'orderby', "The query option '$orderby' is not supported here.")
    return
  }
  if (maxKeys !== undefined && items.length > maxKeys) {
    const message = `'$orderby' has ${items.length} keys, but no more than ${maxKeys} are supported here.`
    report('$orderby', 'orderby.maxKeys', message)
  }
  for (const { expression } of items) {
    if (expression.kind === 'path' && isPlain(expression)) checkKey(expression, current, context)
    else report('$orderby', 'orderby.expression', "'$orderby' supports the names of properties only here.")
  }
}

function isPlain({ root, segments }: PathExpression): boolean {
  const isFromItem = root === undefined || root.kind === 'this' || root.kind === 'it'
  return isFromItem && segments.every(({ kind }, index) => kind === 'property' || (kind === 'count' && index > 0))
}

function checkKey(path: PathExpression, current: PropertyTrail, context: CheckContext): void {
  const { only, properties } = context.capabilities.orderby
  const start = path.root?.kind === 'it' ? context.outermost : current
  const trail = followTrail(start, path.segments, context.types)
  const last = path.segments.at(-1)
  const isCount = last?.kind === 'count'
  if (isCount && (last.filter !== undefined || last.search !== undefined)) {
    context.report('$orderby', 'orderby.expression', "'$count' takes no options in '$orderby' here.")
    return
  }
  const names = isCount ? [...trail.path, '$count'] : trail.path
  const exception = nearestException(properties, names)
  const property = names.join('/')
  const isNamed = exception !== undefined && exception.entry !== 'none'
  const isRelation = trail.relationDepth > start.path.length
  // `only` speaks of the endpoint's own items, not of those of an expanded relation.
  const isListed =
    start.path.length > 0 ? !isRelation && !isCount : (only?.includes(property) ?? (!isRelation && !isCount))
  if (exception?.entry === 'none' || !(isNamed || isListed)) {
    const others = only === undefined ? '' : ` Supported: ${only.join(', ')}.`
    context.report('$orderby', 'orderby', `Sorting by '${property}' is not supported here.${others}`, property)
  }
}
