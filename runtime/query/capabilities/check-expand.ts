import type { ExpandItem, QueryOptions } from '../ast.js'
import type { CheckContext } from './check-context.js'
import { checkFilter } from './check-filter.js'
import { checkOrderby } from './check-orderby.js'
import { checkPaging } from './check-paging.js'
import { checkSearch } from './check-search.js'
import { checkSelect } from './check-select.js'
import { nestedCapabilities } from './nested-capabilities.js'
import { followTrail, nearestException, type PropertyTrail } from './property-trail.js'

const nestedOptions = ['select', 'expand', 'filter', 'orderby', 'top', 'skip', 'count', 'search', 'levels'] as const

/** `$expand`: the relations, how deep, and what may be nested in it. `depth` is 1 for the outermost. */
export function checkExpand(
  items: readonly ExpandItem[],
  current: PropertyTrail,
  depth: number,
  context: CheckContext,
): void {
  const { report, capabilities } = context
  const { support, maxDepth } = capabilities.expand
  if (support === 'none') {
    report('$expand', 'expand', "The query option '$expand' is not supported here.")
    return
  }
  if (depth > maxDepth) {
    report('$expand', 'expand.maxDepth', `'$expand' is ${depth} levels deep, but ${maxDepth} are supported here.`)
    return
  }
  for (const item of items) checkItem(item, current, depth, context)
}

function checkItem(item: ExpandItem, current: PropertyTrail, depth: number, context: CheckContext): void {
  const { report } = context
  const text = [...current.path, ...item.path].join('/')
  if (item.suffix !== undefined) {
    report('$expand', `expand.$${item.suffix}`, `'/$${item.suffix}' is not supported in '$expand' here.`, text)
  }
  requireRelation(item.path, current, depth, context)
  if (item.options === undefined) return
  const segments = item.path.map(name =>
    name.includes('.') ? ({ kind: 'cast', type: name } as const) : ({ kind: 'property', name } as const),
  )
  const trail = followTrail(current, segments, context.types)
  checkNested(item.options, { ...trail, relationDepth: 0 }, depth, context)
}

function requireRelation(
  path: readonly string[],
  current: PropertyTrail,
  depth: number,
  { capabilities, report }: CheckContext,
): void {
  const { relations } = capabilities.expand
  const names = [...current.path, ...path.filter(name => !name.includes('.'))]
  const exact = Object.hasOwn(relations, names.join('/')) ? relations[names.join('/')] : undefined
  // Inside an expanded relation every relation may follow, unless its path or one above is declared `none`.
  const support = exact ?? (depth > 1 && nearestException(relations, names)?.entry !== 'none' ? 'optional' : 'none')
  if (support !== 'none') return
  const supported = Object.keys(relations).filter(name => relations[name] !== 'none')
  const others = supported.length === 0 ? '' : ` Supported: ${supported.join(', ')}.`
  const text = names.join('/')
  report('$expand', 'expand', `Expanding '${text}' is not supported here.${others}`, text)
}

function checkNested(options: QueryOptions, current: PropertyTrail, depth: number, context: CheckContext): void {
  const { report, capabilities } = context
  const { nested, maxDepth } = capabilities.expand
  const property = current.path.join('/')
  for (const name of [...nestedOptions, 'compute'] as const) {
    if (options[name] === undefined || nested.includes(name)) continue
    const others = nested.length === 0 ? '' : ` Supported: ${nested.join(', ')}.`
    const message = `'$${name}' is not supported inside '$expand=${property}' here.${others}`
    report(`$${name}`, `expand.${name}`, message, property)
  }
  const { filter, orderby, search, select, expand, levels } = options
  if (typeof levels === 'number' && depth + levels - 1 > maxDepth) {
    const message = `'$levels=${levels}' leads ${depth + levels - 1} levels deep, but ${maxDepth} are supported here.`
    report('$levels', 'expand.maxDepth', message, property)
  }
  const within: CheckContext = { ...context, capabilities: nestedCapabilities(capabilities) }
  if (filter !== undefined && nested.includes('filter')) checkFilter(filter, current, within)
  if (orderby !== undefined && nested.includes('orderby')) checkOrderby(orderby, current, within)
  if (search !== undefined && nested.includes('search')) checkSearch(search, context)
  if (select !== undefined && nested.includes('select')) checkSelect(select, context)
  if (expand !== undefined && nested.includes('expand')) checkExpand(expand, current, depth + 1, context)
  if (nested.includes('top')) checkPaging(options, context)
}
