import type { Expression, QueryOptions, Transformation } from '../ast.js'
import { childExpressions, transformationExpressions } from '../traversal.js'
import type { Capabilities, Condition } from './capabilities.js'

/**
 * The conditions that a request triggers but does not meet, in the order of the capabilities. The comparison of the header's
 * value ignores letter case and surrounding space.
 *
 * @param constructs the result of `constructsOf`, and `countPath` if the path ends in `/$count`
 * @param header returns the value of a request header or null: `headers.get.bind(headers)`
 */
export function unmetConditions(
  constructs: readonly string[],
  capabilities: Capabilities,
  header: (name: string) => string | null,
): readonly Condition[] {
  const used = new Set(constructs)
  return capabilities.requires.filter(condition => {
    const isTriggered = condition.when.some(all => all.every(construct => used.has(construct)))
    return isTriggered && !isSame(header(condition.header.name), condition.header.value)
  })
}

function isSame(given: string | null, expected: string): boolean {
  return given !== null && given.trim().toLowerCase() === expected.trim().toLowerCase()
}

type AliasValues = NonNullable<QueryOptions['aliases']>

/**
 * The constructs of a query that a condition can name: `filter`, `filter.<operator, function or lambda operator>`,
 * `filter.$count`, `orderby`, `expand`, `search`, `count`, `skip`, `top`, `select`. `apply`. `$count=false` is not one of them. The
 * constructs of a filter or search in `$expand` are included (`filter.contains`, `search`), but not other nested options:
 * `orderby` is that of the request. A server adds `countPath` if the path ends in `/$count`.
 *
 * @see Condition.when
 */
export function constructsOf(options: QueryOptions): readonly string[] {
  const found = new Set<string>()
  const aliases = options.aliases ?? {}
  for (const name of ['filter', 'orderby', 'expand', 'search', 'skip', 'top', 'select', 'apply'] as const) {
    if (options[name] !== undefined) found.add(name)
  }
  if (options.count === true) found.add('count')
  addNested(options, aliases, found)
  return [...found]
}

function addNested(options: QueryOptions, aliases: AliasValues, found: Set<string>): void {
  const waiting = [options]
  const seen = new Set<string>()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.filter !== undefined) addFilter(next.filter, aliases, seen, found)
    for (const each of next.apply ?? []) addTransformation(each, aliases, seen, found)
    if (next.search !== undefined) found.add('search')
    for (const item of [...(next.expand ?? []), ...(next.select ?? [])]) {
      if (item.options !== undefined) waiting.push(item.options)
    }
  }
}

/** Transformations trigger the conditions of the options that they stand for. */
function addTransformation(step: Transformation, aliases: AliasValues, seen: Set<string>, found: Set<string>): void {
  if (step.kind === 'filter' || step.kind === 'search' || step.kind === 'orderby') found.add(step.kind)
  for (const expression of transformationExpressions([step])) addFilter(expression, aliases, seen, found)
  const inner = step.kind === 'groupby' ? step.apply : step.kind === 'concat' ? step.branches.flat() : []
  for (const each of inner) addTransformation(each, aliases, seen, found)
}

/** Visits each alias once: the constructs in its value do not depend on its position. */
function addFilter(filter: Expression, aliases: AliasValues, seen: Set<string>, found: Set<string>): void {
  const waiting = [filter]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const name of namesOf(node)) found.add(`filter.${name}`)
    if (node.kind === 'alias' && !seen.has(node.name)) {
      seen.add(node.name)
      const value = Object.hasOwn(aliases, node.name) ? aliases[node.name] : undefined
      if (value !== undefined) waiting.push(value)
    }
    for (const child of childExpressions(node)) waiting.push(child)
  }
}

function namesOf(node: Expression): readonly string[] {
  switch (node.kind) {
    case 'unary':
    case 'binary':
    case 'lambda':
      return [node.operator]
    case 'call':
      return [node.function]
    case 'path':
      return node.segments.flatMap(segment => {
        if (segment.kind === 'count') return segment.search === undefined ? ['$count'] : ['$count', '$search']
        if (segment.kind === 'filter') return ['$filter']
        if (segment.kind === 'cast') return ['cast']
        return segment.kind === 'function' ? [segment.name] : []
      })
    default:
      return []
  }
}
