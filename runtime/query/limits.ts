import type { ExpandItem, Expression, QueryOptions, SearchExpression } from './ast.js'
import { childExpressions, expressionsIn } from './traversal.js'
import { structuredTypeInfo, type TypeTable, typeKey } from './type-table.js'

/**
 * The most that one query may contain, nested options included. They bound the work of a query before any of it is done.
 * What repeats through parameter aliases counts each time.
 */
export interface QueryLimits {
  /** Nodes of the syntax trees of all expressions. Literals in lists are not counted. */
  readonly filterNodes: number
  /** Levels of `any`, `all`, `$filter` and `$count` inside each other, in a filter. */
  readonly lambdaDepth: number
  /** Literals in lists, altogether. */
  readonly listItems: number
  /** Items of one `$orderby`. */
  readonly orderbyItems: number
  /** Levels of `$expand`. */
  readonly expandDepth: number
  /** Relations in all `$expand`. One with `$levels` counts once for each level, `*` once for each relation of the type: name those that are allowed. */
  readonly expandedRelations: number
  /** Words in all `$search`. */
  readonly searchWords: number
  /** Characters of a pattern of `matchesPattern`. */
  readonly patternLength: number
}

export const defaultQueryLimits: QueryLimits = {
  filterNodes: 400,
  lambdaDepth: 2,
  listItems: 500,
  orderbyItems: 10,
  expandDepth: Number.POSITIVE_INFINITY,
  expandedRelations: 20,
  searchWords: 20,
  patternLength: 500,
}

export interface ExceededLimit {
  /** The query option, with `$`. */
  readonly option: string
  readonly limit: keyof QueryLimits
  /** What was found, and the limit with its name. */
  readonly message: string
}

/**
 * The limits that a query exceeds. Takes time in proportion to the text of the query, whatever its aliases expand to.
 *
 * @param typeName the items that the request addresses
 * @param maxLevels what `$levels=max` means
 */
export function exceededLimits(
  options: QueryOptions,
  limits: QueryLimits,
  types: TypeTable,
  typeName: string | undefined,
  maxLevels: number,
): readonly ExceededLimit[] {
  const found = measureQuery(options, types, typeName, maxLevels)
  const exceeded: ExceededLimit[] = []
  for (const { limit, option, sentence } of queryMeasures) {
    if (found[limit] <= limits[limit]) continue
    const amount = Number.isFinite(found[limit]) ? String(found[limit]) : 'too many'
    const message = `${sentence(amount)}, but the limit ${limit} is ${limits[limit]}.`
    exceeded.push({ option, limit, message })
  }
  return exceeded
}

const queryMeasures: readonly {
  readonly limit: keyof QueryLimits
  readonly option: string
  readonly sentence: (amount: string) => string
}[] = [
  { limit: 'filterNodes', option: '$filter', sentence: amount => `The filter has ${amount} nodes` },
  { limit: 'lambdaDepth', option: '$filter', sentence: amount => `The filter has any and all ${amount} levels deep` },
  { limit: 'listItems', option: '$filter', sentence: amount => `The lists of the filter have ${amount} items` },
  { limit: 'patternLength', option: '$filter', sentence: amount => `A pattern has ${amount} characters` },
  { limit: 'orderbyItems', option: '$orderby', sentence: amount => `'$orderby' has ${amount} items` },
  { limit: 'expandDepth', option: '$expand', sentence: amount => `'$expand' is ${amount} levels deep` },
  { limit: 'expandedRelations', option: '$expand', sentence: amount => `'$expand' has ${amount} relations` },
  { limit: 'searchWords', option: '$search', sentence: amount => `'$search' has ${amount} words` },
]

type Measured = Record<keyof QueryLimits, number>

const nothingMeasured: Readonly<Measured> = {
  filterNodes: 0,
  lambdaDepth: 0,
  listItems: 0,
  orderbyItems: 0,
  expandDepth: 0,
  expandedRelations: 0,
  searchWords: 0,
  patternLength: 0,
}

function measureQuery(
  options: QueryOptions,
  types: TypeTable,
  typeName: string | undefined,
  maxLevels: number,
): Readonly<Measured> {
  const total: Measured = { ...nothingMeasured }
  const aliases = options.aliases ?? {}
  const known = new Map<string, Readonly<Measured>>()
  for (const expression of expressionsIn(options))
    addMeasured(total, measureExpression(expression, aliases, known, 0), 0)
  measureOptions(options, total)
  const relations = measureExpand(options.expand ?? [], types, typeName, maxLevels)
  total.expandDepth = relations.depth
  total.expandedRelations = relations.count
  return total
}

/** Adds what one part contains to the total. `depth`: how many lambdas are around the part. */
function addMeasured(total: Measured, part: Readonly<Measured>, depth: number): void {
  total.filterNodes += part.filterNodes
  total.listItems += part.listItems
  total.searchWords += part.searchWords
  total.lambdaDepth = Math.max(total.lambdaDepth, depth + part.lambdaDepth)
  total.patternLength = Math.max(total.patternLength, part.patternLength)
}

/** Measures `$orderby` and `$search` of these options and of all nested ones. */
function measureOptions(options: QueryOptions, total: Measured): void {
  const waiting: QueryOptions[] = [options]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    total.orderbyItems = Math.max(total.orderbyItems, next.orderby?.length ?? 0)
    if (next.search !== undefined) total.searchWords += searchWordCount(next.search)
    for (const item of [...(next.select ?? []), ...(next.expand ?? [])]) {
      if (item.options !== undefined) waiting.push(item.options)
    }
  }
}

const searchWord = /[\p{L}\p{N}]+/gu

/** The words of a search. A term without letters and digits counts as one. */
function searchWordCount(search: SearchExpression): number {
  let count = 0
  const waiting = [search]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'term' || node.kind === 'phrase') count += Math.max(1, node.text.match(searchWord)?.length ?? 0)
    else if (node.kind === 'not') waiting.push(node.operand)
    else waiting.push(node.left, node.right)
  }
  return count
}

/** Longer chains of aliases count as infinitely large. */
const longestAliasChain = 100

function measureExpression(
  expression: Expression,
  aliases: Readonly<Record<string, Expression>>,
  known: Map<string, Readonly<Measured>>,
  chain: number,
): Readonly<Measured> {
  const total: Measured = { ...nothingMeasured }
  const waiting = [{ node: expression, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next
    total.filterNodes += 1
    total.lambdaDepth = Math.max(total.lambdaDepth, depth)
    if (node.kind === 'alias') addMeasured(total, measureAlias(node.name, aliases, known, chain), depth)
    if (node.kind === 'list') {
      total.listItems += node.items.length
      for (const item of node.items) if (item.kind !== 'literal') waiting.push({ node: item, depth })
      continue
    }
    if (node.kind === 'call' && node.function === 'matchespattern') {
      total.patternLength = Math.max(total.patternLength, textLength(node.arguments[1], aliases))
    }
    if (node.kind === 'path') {
      for (const segment of node.segments) {
        if (segment.kind === 'count' && segment.search !== undefined)
          total.searchWords += searchWordCount(segment.search)
      }
    }
    const opens =
      node.kind === 'lambda' || (node.kind === 'path' && node.segments.some(({ kind }) => kind === 'filter'))
    const isCounted = node.kind === 'path' && node.segments.some(each => each.kind === 'count' && each.filter)
    const inside = opens || isCounted ? depth + 1 : depth
    if (node.kind === 'lambda' && node.predicate === undefined) total.lambdaDepth = Math.max(total.lambdaDepth, inside)
    for (const child of childExpressions(node)) {
      const isCollection = node.kind === 'lambda' && child === node.collection
      waiting.push({ node: child, depth: isCollection ? depth : inside })
    }
  }
  return total
}

function measureAlias(
  name: string,
  aliases: Readonly<Record<string, Expression>>,
  known: Map<string, Readonly<Measured>>,
  chain: number,
): Readonly<Measured> {
  if (chain > longestAliasChain) return { ...nothingMeasured, filterNodes: Number.POSITIVE_INFINITY }
  const measured = known.get(name)
  if (measured !== undefined) return measured
  const value = Object.hasOwn(aliases, name) ? aliases[name] : undefined
  if (value === undefined) return nothingMeasured
  // An alias inside its own value counts once. The binder rejects it.
  known.set(name, nothingMeasured)
  const found = measureExpression(value, aliases, known, chain + 1)
  known.set(name, found)
  return found
}

/** The length of a string literal, or of the alias for it; else 0. */
function textLength(expression: Expression | undefined, aliases: Readonly<Record<string, Expression>>): number {
  let value = expression
  for (let hops = 0; value?.kind === 'alias' && hops < longestAliasChain; hops++) {
    value = Object.hasOwn(aliases, value.name) ? aliases[value.name] : undefined
  }
  return value?.kind === 'literal' && value.type === 'String' ? value.value.length : 0
}

/** The number of relations of `$expand` with all levels, and its depth. The parser limits how deep it nests. */
function measureExpand(
  items: readonly ExpandItem[],
  types: TypeTable,
  typeName: string | undefined,
  maxLevels: number,
): { readonly count: number; readonly depth: number } {
  let count = 0
  let depth = 0
  for (const { path, options } of items) {
    const levels = options?.levels === 'max' ? maxLevels : (options?.levels ?? 1)
    const { type, relations } = relationTarget(path, types, typeName)
    const inner = measureExpand(options?.expand ?? [], types, type, maxLevels)
    count += relations * levels * (1 + inner.count)
    depth = Math.max(depth, levels + inner.depth)
  }
  return { count, depth }
}

/** The type that an item of `$expand` leads to, and the number of relations that it stands for. */
function relationTarget(
  path: readonly string[],
  types: TypeTable,
  typeName: string | undefined,
): { readonly type: string | undefined; readonly relations: number } {
  let type = typeName
  for (const name of path) {
    const info = structuredTypeInfo(type, types)
    if (name === '*') return { type: undefined, relations: Math.max(1, Object.keys(info?.navigation ?? {}).length) }
    const members = { ...info?.properties, ...info?.navigation }
    type = name.includes('.') ? typeKey(name, types) : Object.hasOwn(members, name) ? members[name]?.type : undefined
  }
  return { type, relations: 1 }
}
