import type {
  ComputeItem,
  ExpandItem,
  Expression,
  OrderbyItem,
  PathExpression,
  QueryOptions,
  SearchExpression,
  SelectItem,
} from '../ast.js'
import { namedType } from '../binding/context.js'
import { canonicalFunctions } from '../functions.js'
import { operatorNames } from '../operators.js'
import { structuredTypeInfo, type TypeTable, typeKey } from '../type-table.js'
import {
  type Capabilities,
  type CheckContext,
  type FilterCapabilities,
  nearestEntry,
  type OrderbyCapabilities,
  type ResolvedPath,
  resolvePath,
  type Support,
  type UnsupportedConstruct,
} from './capabilities.js'
import { checkFilter } from './check-filter.js'

/**
 * The constructs of a query that an endpoint does not support. Constructs that capabilities cannot express (keys in a
 * filter, `$root`) are not supported. `$format`, `$skiptoken` and `$deltatoken` are not checked: they belong to content
 * negotiation and to the service's own links.
 *
 * Call `bindQuery` first to check the query against the types. Values above `top.max` are errors only if `top.above` is
 * `error`.
 *
 * @param typeName the items that the request addresses
 * @see OData Protocol 4.01, 11.2.6 (an unsupported option must fail the request)
 */
export function checkCapabilities(
  options: QueryOptions,
  capabilities: Capabilities,
  types: TypeTable,
  typeName: string,
): readonly UnsupportedConstruct[] {
  const found = new Map<string, UnsupportedConstruct>()
  const item = namedType(typeName, types)
  const outermost: ResolvedPath = {
    names: [],
    typeName: item?.kind === 'entity' || item?.kind === 'complex' ? item.name : undefined,
    relationDepth: 0,
  }
  const context: CheckContext = {
    capabilities,
    types,
    aliases: options.aliases ?? {},
    computed: computedNames(options),
    outermost,
    report(option, construct, message, property) {
      const key = `${construct} ${property ?? ''}`
      if (found.has(key)) return
      found.set(key, { option, construct, message, ...(property === undefined ? {} : { property }) })
    },
  }
  const { filter, orderby, search, select, expand, compute } = options
  checkWhole(options, context)
  if (compute !== undefined && capabilities.compute !== undefined) checkCompute(compute, outermost, context)
  if (filter !== undefined) checkFilter(filter, outermost, context)
  if (orderby !== undefined) checkOrderby(orderby, outermost, context)
  if (search !== undefined) checkSearch(search, context)
  if (select !== undefined && capabilities.select !== 'none') checkSelect(select, context)
  if (expand !== undefined) checkExpand(expand, outermost, 1, context)
  if (capabilities.top.support !== 'none') checkPaging(options, context)
  return [...found.values()]
}

function computedNames({ compute }: QueryOptions): ReadonlySet<string> {
  return new Set(compute?.map(({ alias }) => alias))
}

/** Computed properties support what a filter does, whether or not there is a filter. */
function checkCompute(items: readonly ComputeItem[], current: ResolvedPath, context: CheckContext): void {
  const { capabilities, report } = context
  const filter = capabilities.filter.support === 'none' ? anyFilter : capabilities.filter
  const within: CheckContext = {
    ...context,
    capabilities: { ...capabilities, filter },
    report: (_option, construct, message, property) => report('$compute', construct, message, property),
  }
  for (const { expression } of items) checkFilter(expression, current, within)
}

/** Checks options without details. */
function checkWhole(options: QueryOptions, { capabilities, report }: CheckContext): void {
  const supports = {
    select: capabilities.select,
    top: capabilities.top.support,
    skip: capabilities.skip,
    count: capabilities.count,
    compute: capabilities.compute ?? 'none',
    levels: 'none',
  } as const
  for (const name of ['select', 'top', 'skip', 'count', 'compute', 'levels'] as const) {
    if (options[name] === undefined || supports[name] !== 'none') continue
    report(`$${name}`, name, `The query option '$${name}' is not supported here.`)
  }
}

const nestedOptions = [
  'select',
  'expand',
  'filter',
  'orderby',
  'top',
  'skip',
  'count',
  'search',
  'levels',
  'compute',
] as const

/** Checks the relations of `$expand`, its depth and its nested options. `depth` is 1 for the outermost. */
function checkExpand(items: readonly ExpandItem[], current: ResolvedPath, depth: number, context: CheckContext): void {
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

function checkItem(item: ExpandItem, current: ResolvedPath, depth: number, context: CheckContext): void {
  const { report } = context
  const text = [...current.names, ...item.path].join('/')
  if (item.suffix !== undefined) {
    report('$expand', `expand.$${item.suffix}`, `'/$${item.suffix}' is not supported in '$expand' here.`, text)
  }
  requireRelation(item.path, current, depth, context)
  if (item.options !== undefined) checkNested(item.options, trailOf(item, current, context), depth, context)
}

/**
 * The items of `$expand` with the relations that an endpoint allows in place of each `*` that cannot stay: one beside other
 * items, which take precedence, and one that would expand more than is allowed. Call `checkCapabilities` first.
 *
 * @see OData URL Conventions 4.01, 5.1.3
 */
export function namedRelations(
  items: readonly ExpandItem[],
  capabilities: Capabilities,
  types: TypeTable,
  typeName: string,
): readonly ExpandItem[] {
  return namedItems(items, { names: [], typeName, relationDepth: 0 }, 1, { capabilities, types })
}

type RelationContext = Pick<CheckContext, 'capabilities' | 'types'>

function namedItems(
  items: readonly ExpandItem[],
  current: ResolvedPath,
  depth: number,
  context: RelationContext,
): readonly ExpandItem[] {
  const others = new Set(items.map(({ path }) => path.at(-1)))
  return items.flatMap((item): readonly ExpandItem[] => {
    const relations = starRelations(item.path, current, context)
    if (relations !== undefined) {
      const allowed = relations.filter(path => supportOf(path, current, depth, context) !== 'none')
      if (items.length === 1 && allowed.length === relations.length) return [item]
      return allowed.filter(path => !others.has(path.at(-1))).map(path => ({ ...item, path }))
    }
    const { options } = item
    if (options?.expand === undefined) return [item]
    const expand = namedItems(options.expand, trailOf(item, current, context), depth + 1, context)
    return [{ ...item, options: { ...options, expand } }]
  })
}

/** The paths of the relations that `*` stands for, or `ns.type/*` for those of a derived type. Undefined for other paths. */
function starRelations(
  path: readonly string[],
  { typeName }: ResolvedPath,
  { types }: RelationContext,
): readonly (readonly string[])[] | undefined {
  const casts = path.slice(0, -1)
  const cast = casts.at(-1)
  const isStar = path.at(-1) === '*' && casts.every(name => name.includes('.'))
  const type = isStar ? structuredTypeInfo(cast === undefined ? typeName : typeKey(cast, types), types) : undefined
  return type === undefined ? undefined : Object.keys(type.navigation).map(name => [...casts, name])
}

function trailOf({ path }: ExpandItem, current: ResolvedPath, { types }: RelationContext): ResolvedPath {
  const segments = path.map(name =>
    name.includes('.') ? ({ kind: 'cast', type: name } as const) : ({ kind: 'property', name } as const),
  )
  return { ...resolvePath(current, segments, types), relationDepth: 0 }
}

function relationNames(path: readonly string[], current: ResolvedPath): readonly string[] {
  return [...current.names, ...path.filter(name => !name.includes('.'))]
}

function supportOf(
  path: readonly string[],
  current: ResolvedPath,
  depth: number,
  { capabilities }: RelationContext,
): Support {
  const { relations } = capabilities.expand
  const names = relationNames(path, current)
  const exact = Object.hasOwn(relations, names.join('/')) ? relations[names.join('/')] : undefined
  // In an expanded relation, every relation is allowed unless its path or an ancestor is declared `none`.
  return exact ?? (depth > 1 && nearestEntry(relations, names)?.entry !== 'none' ? 'optional' : 'none')
}

/** `*` needs one relation that is allowed. */
function requireRelation(path: readonly string[], current: ResolvedPath, depth: number, context: CheckContext): void {
  const paths = starRelations(path, current, context) ?? [path]
  if (paths.some(each => supportOf(each, current, depth, context) !== 'none')) return
  const { relations } = context.capabilities.expand
  const supported = Object.keys(relations).filter(name => relations[name] !== 'none')
  const others = supported.length === 0 ? '' : ` Supported: ${supported.join(', ')}.`
  const text = relationNames(path, current).join('/')
  context.report('$expand', 'expand', `Expanding '${text}' is not supported here.${others}`, text)
}

function checkNested(options: QueryOptions, current: ResolvedPath, depth: number, context: CheckContext): void {
  const { report, capabilities } = context
  const { nested, maxDepth } = capabilities.expand
  const property = current.names.join('/')
  for (const name of nestedOptions) {
    if (options[name] === undefined || nested.includes(name)) continue
    const others = nested.length === 0 ? '' : ` Supported: ${nested.join(', ')}.`
    const message = `'$${name}' is not supported inside '$expand=${property}' here.${others}`
    report(`$${name}`, `expand.${name}`, message, property)
  }
  const { filter, orderby, search, select, expand, levels, compute } = options
  if (typeof levels === 'number' && depth + levels - 1 > maxDepth) {
    const message = `'$levels=${levels}' leads ${depth + levels - 1} levels deep, but ${maxDepth} are supported here.`
    report('$levels', 'expand.maxDepth', message, property)
  }
  const computed = computedNames(options)
  const within: CheckContext = { ...context, computed, capabilities: nestedCapabilities(capabilities) }
  if (compute !== undefined && nested.includes('compute')) checkCompute(compute, current, within)
  if (filter !== undefined && nested.includes('filter')) checkFilter(filter, current, within)
  if (orderby !== undefined && nested.includes('orderby')) checkOrderby(orderby, current, within)
  if (search !== undefined && nested.includes('search')) checkSearch(search, context)
  if (select !== undefined && nested.includes('select')) checkSelect(select, context)
  if (expand !== undefined && nested.includes('expand')) checkExpand(expand, current, depth + 1, context)
  if (nested.includes('top')) checkPaging(options, context)
}

/** What expressions can do where the endpoint has no filter. */
export const anyFilter: FilterCapabilities = {
  support: 'optional',
  operators: optional([...operatorNames, 'not', 'negate']),
  functions: optional([...canonicalFunctions.keys()].filter(name => !name.startsWith('geo.'))),
  lambdas: optional(['any', 'all']),
  properties: {},
}

const anyOrderby: OrderbyCapabilities = { support: 'optional', properties: {} }

/**
 * The capabilities in an expanded relation: those of the endpoint. An option that the endpoint does not support at all, such
 * as `$filter` of a single item, has no restrictions there.
 */
function nestedCapabilities(capabilities: Capabilities): Capabilities {
  const { filter, orderby } = capabilities
  return {
    ...capabilities,
    filter: filter.support === 'none' ? anyFilter : filter,
    orderby: orderby.support === 'none' ? anyOrderby : orderby,
  }
}

function optional(names: readonly string[]): Readonly<Record<string, Support>> {
  return Object.fromEntries(names.map(name => [name, 'optional' as const]))
}

/**
 * Checks that the endpoint can sort by each key of `$orderby`: by all structural properties, or by those in `only`; by
 * relations and `$count` only if the capabilities name them. Keys are names, also of properties that `$compute` adds, and may
 * lead through casts to derived types.
 */
function checkOrderby(items: readonly OrderbyItem[], current: ResolvedPath, context: CheckContext): void {
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
    checkOrderbyKey(givenValue(expression, context), current, context)
  }
}

/** The value of an alias; else the expression itself. */
function givenValue(expression: Expression, { aliases }: CheckContext): Expression {
  const value =
    expression.kind === 'alias' && Object.hasOwn(aliases, expression.name) ? aliases[expression.name] : undefined
  return value ?? expression
}

/** A key is the path of a property, or a call of a function of the service that filters can call, too. */
function checkOrderbyKey(expression: Expression, current: ResolvedPath, context: CheckContext): void {
  const { report, capabilities } = context
  const call = serviceCallOf(expression)
  if (call === undefined) {
    if (expression.kind === 'path' && isPlain(expression)) checkKey(expression, current, context)
    else report('$orderby', 'orderby.expression', "'$orderby' supports the names of properties only here.")
    return
  }
  const { functions } = capabilities.filter
  if (!Object.hasOwn(functions, call.name) || functions[call.name] === 'none') {
    report('$orderby', 'orderby.expression', `The function '${call.name}' is not supported here.`)
    return
  }
  const { before } = call
  if (before !== undefined && before.segments.length > 0) {
    const start = before.root?.kind === 'it' ? context.outermost : current
    const { names, relationDepth } = resolvePath(start, before.segments, context.types)
    const named = nearestEntry(capabilities.orderby.properties, names)?.entry ?? 'none'
    if (!isPlain(before) || (relationDepth > start.names.length && named === 'none')) {
      report('$orderby', 'orderby', `Sorting by '${names.join('/')}' is not supported here.`, names.join('/'))
    }
  }
  for (const argument of call.arguments) {
    const value = givenValue(argument, context)
    if (value.kind !== 'literal' && value.kind !== 'alias') checkOrderbyKey(value, current, context)
  }
}

interface CallInOrderby {
  readonly name: string
  /** The path to the item that the function is bound to. */
  readonly before: PathExpression | undefined
  readonly arguments: readonly Expression[]
}

function serviceCallOf(expression: Expression): CallInOrderby | undefined {
  if (expression.kind === 'call' && !canonicalFunctions.has(expression.function) && expression.function.includes('.'))
    return { name: expression.function, before: undefined, arguments: expression.arguments }
  const last = expression.kind === 'path' ? expression.segments.at(-1) : undefined
  if (expression.kind !== 'path' || last?.kind !== 'function') return undefined
  return {
    name: last.name,
    before: { ...expression, segments: expression.segments.slice(0, -1) },
    arguments: last.parameters.map(({ value }) => value),
  }
}

function isPlain({ root, segments }: PathExpression): boolean {
  const isFromItem = root === undefined || root.kind === 'this' || root.kind === 'it'
  return (
    isFromItem &&
    segments.every(({ kind }, index) => kind === 'property' || kind === 'cast' || (kind === 'count' && index > 0))
  )
}

function checkKey(path: PathExpression, current: ResolvedPath, context: CheckContext): void {
  const { only, properties } = context.capabilities.orderby
  const [first] = path.segments
  if (first?.kind === 'property' && context.computed.has(first.name)) return
  const start = path.root?.kind === 'it' ? context.outermost : current
  const trail = resolvePath(start, path.segments, context.types)
  const last = path.segments.at(-1)
  const isCount = last?.kind === 'count'
  if (isCount && (last.filter !== undefined || last.search !== undefined)) {
    context.report('$orderby', 'orderby.expression', "'$count' takes no options in '$orderby' here.")
    return
  }
  const names = isCount ? [...trail.names, '$count'] : trail.names
  const exception = nearestEntry(properties, names)
  const property = names.join('/')
  const isNamed = exception !== undefined && exception.entry !== 'none'
  const isRelation = trail.relationDepth > start.names.length
  // `only` applies to the items of the endpoint, not to those of an expanded relation.
  const isListed =
    start.names.length > 0 ? !isRelation && !isCount : (only?.includes(property) ?? (!isRelation && !isCount))
  if (exception?.entry === 'none' || !(isNamed || isListed)) {
    const others = only === undefined ? '' : ` Supported: ${only.join(', ')}.`
    context.report('$orderby', 'orderby', `Sorting by '${property}' is not supported here.${others}`, property)
  }
}

/** Checks the operators of `$search`, and the properties of property terms. */
function checkSearch(search: SearchExpression, { report, capabilities }: CheckContext): void {
  const { support, join, syntax, properties } = capabilities.search
  if (support === 'none') {
    report('$search', 'search', "The query option '$search' is not supported here.")
    return
  }
  const waiting = [search]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'term' || node.kind === 'phrase') {
      if (syntax === 'propertyTerms') checkPropertyTerm(node.text, properties, report)
      continue
    }
    const operator = node.kind === 'not' ? 'NOT' : node.kind === 'and' ? 'AND' : 'OR'
    if (!join.includes(operator)) {
      const others = join.length === 0 ? ' One term only is supported.' : ` Supported: ${join.join(', ')}.`
      report('$search', `search.${operator}`, `${operator} is not supported in '$search' here.${others}`)
    }
    if (node.kind === 'not') waiting.push(node.operand)
    else waiting.push(node.right, node.left)
  }
}

function checkPropertyTerm(text: string, properties: readonly string[], report: CheckContext['report']): void {
  const supported = ` Supported: ${properties.join(', ')}.`
  const found = propertyTerm(text)
  if (found === undefined) {
    const message = `'${text}' is not supported in '$search' here: write "property:term" in double quotes.${supported}`
    report('$search', 'search.words', message)
  } else if (!properties.includes(found.property)) {
    const message = `Searching in '${found.property}' is not supported here.${supported}`
    report('$search', 'search', message, found.property)
  }
}

/** A term of `$search` for one property, such as `"displayName:room"`. */
export interface PropertyTerm {
  readonly property: string
  readonly term: string
}

/** Splits `property:term` at its first colon; undefined without a property or a term. */
export function propertyTerm(text: string): PropertyTerm | undefined {
  const colon = text.indexOf(':')
  const property = text.slice(0, Math.max(0, colon)).trim()
  const term = text.slice(colon + 1).trim()
  return property === '' || term === '' ? undefined : { property, term }
}

/** Nested options and operations in `$select` are not supported. */
function checkSelect(items: readonly SelectItem[], { report }: CheckContext): void {
  for (const { path, options } of items) {
    const property = path.join('/')
    if (options !== undefined) {
      report('$select', 'select.nested', `Options inside '$select=${property}' are not supported here.`, property)
    }
    if (path.some(name => name.endsWith('.*') || name.startsWith('@'))) {
      report('$select', 'select.operations', `Selecting '${property}' is not supported here.`, property)
    }
  }
}

/** Checks the bounds of `$top`. */
function checkPaging({ top }: QueryOptions, { report, capabilities }: CheckContext): void {
  if (top === undefined) return
  const { min, max, above } = capabilities.top
  if (top < min) report('$top', 'top.min', `'$top=${top}' is not supported here: the least is ${min}.`)
  if (max !== undefined && top > max && above === 'error') {
    report('$top', 'top.max', `'$top=${top}' is not supported here: the most is ${max}.`)
  }
}
