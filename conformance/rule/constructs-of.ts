import type { Expression, QueryOptions } from '../../runtime/query/index.js'

/**
 * The constructs of a query, in the words that capabilities and conditions use: `filter`, `filter.eq`, `filter.contains`,
 * `filter.any`, `filter:subject` (a property used in it), `orderby`, `orderby:subject`, `select`, `expand`,
 * `expand:manager`, `expand.select` (an option nested in it), `top`, `skip`, `count`, `search`.
 */
export function constructsOf(options: QueryOptions): readonly string[] {
  const found = new Set<string>()
  if (options.filter !== undefined) {
    found.add('filter')
    filterConstructs(options.filter, found)
  }
  if (options.orderby !== undefined) {
    found.add('orderby')
    for (const { expression } of options.orderby) found.add(`orderby:${pathText(expression)}`)
    if (options.orderby.length > 1) found.add('orderby.keys')
  }
  if (options.select !== undefined) found.add('select')
  if (options.expand !== undefined) {
    found.add('expand')
    for (const { path, options: nested } of options.expand) {
      found.add(`expand:${path.join('/')}`)
      for (const name of Object.keys(nested ?? {})) found.add(`expand.${name}`)
    }
    if (options.expand.length > 1) found.add('expand.relations')
  }
  for (const name of ['top', 'skip', 'count', 'search', 'compute'] as const) {
    if (options[name] !== undefined) found.add(name)
  }
  return [...found]
}

function filterConstructs(expression: Expression, found: Set<string>): void {
  switch (expression.kind) {
    case 'unary':
      found.add(`filter.${expression.operator}`)
      filterConstructs(expression.operand, found)
      break
    case 'binary':
      found.add(`filter.${expression.operator}`)
      filterConstructs(expression.left, found)
      filterConstructs(expression.right, found)
      break
    case 'call':
      found.add(`filter.${expression.function}`)
      for (const argument of expression.arguments) filterConstructs(argument, found)
      break
    case 'lambda':
      found.add(`filter.${expression.operator}`)
      filterConstructs(expression.collection, found)
      if (expression.predicate !== undefined) filterConstructs(expression.predicate, found)
      break
    case 'list':
      for (const item of expression.items) filterConstructs(item, found)
      break
    case 'path':
      found.add(`filter:${pathText(expression)}`)
      break
    default:
      break
  }
}

function pathText(expression: Expression): string {
  if (expression.kind !== 'path') return expression.kind
  const steps = expression.segments.map(segment => (segment.kind === 'property' ? segment.name : `$${segment.kind}`))
  return expression.root?.kind === 'variable' ? ['*', ...steps].join('/') : steps.join('/')
}
