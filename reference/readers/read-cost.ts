import {
  childExpressions,
  type ExpandItem,
  type Expression,
  type OrderbyItem,
  type QueryOptions,
  type SearchExpression,
  transformationExpressions,
} from '../../runtime/query/index.js'
import type { AnyCall, QueryTemplate, Route } from '../../runtime/server/index.js'
import type { EntityType, NavigationProperty, Property } from '../../spec/language/index.js'
import { type ResponseLimits, responseLimits, type Scope, type Table } from '../../sql/index.js'
import type { Store } from '../store/store.js'
import type { TableSize } from './statistics.js'

// The cost of a read is estimated from the query, the model and the sizes of the tables, before any SQL. It is the time in
// microseconds that a core needs at most for what the query asks of average rows. It only decides where the read runs, so that
// it is better too high than too low.

/** Microseconds for parts of the work. */
const cost = {
  /** Compile a node of the query to SQL. */
  compile: 5,
  /** Read a row from an index or a table. */
  row: 0.2,
  /** Evaluate a node that reads no text. */
  node: 0.1,
  /** Look an item up by its id. */
  lookup: 1,
  /** Evaluate a call. */
  call: 0.5,
  /** Search a byte of text. */
  byte: 0.002,
  /** Load a byte of text to compare it. */
  loadedByte: 0.0005,
  /** A step of matching a pattern. */
  patternStep: 0.03,
  /** Sort a row. */
  sort: 1,
  /** Write an item of a page, if the engine writes its JSON, and if this process does. */
  item: 6,
  decodedItem: 15,
  /** Write a byte of a response. */
  written: 0.01,
  /** Find a row by a word. */
  word: 0.5,
} as const

/** A page without a size has all items of the scope. */
const defaultPageSize = 1_000

/**
 * Estimates the cost of a call in microseconds.
 *
 * @param found the rows that an index finds; undefined: all rows of the table have to be visited
 */
export type ReadCost = (
  call: Pick<AnyCall, 'query' | 'template' | 'pageSize' | 'limit'>,
  sizeOf: SizeOf,
  found?: number,
) => number

type SizeOf = (table: Table) => TableSize

/** Prepares the estimate for the reads of a route. */
export function readCost(route: Route, scope: Scope, store: Pick<Store, 'schema' | 'table'>): ReadCost {
  const { schema } = store
  const limits = responseLimits(store.table)
  return ({ query, template, pageSize, limit }, sizeOf, found) => {
    const { options } = template
    const estimate: Estimate = { schema, sizeOf, limits, aliases: options.aliases ?? {}, known: new Map() }
    const { rows: all, rowBytes } = sizeOf(scope.table)
    const rows = Math.min(all, found ?? all)
    const left = Math.min(limit ?? Number.POSITIVE_INFINITY, rows)
    const page = route.kind === 'item' ? 1 : Math.min(pageSize ?? defaultPageSize, left)
    const perRow = rowCost(options, scope, estimate)
    const transformed = transformationCost(options, scope, estimate)
    const scans = perRow > 0 || route.kind === 'count' || route.kind === 'delta' || query.count === true
    const times = query.count === true && route.kind === 'collection' ? 2 : 1
    const scanned = scans && route.kind !== 'item' ? rows * (cost.row + perRow) * times : 0
    const skipped = Math.min(query.skip ?? 0, rows) * cost.row
    const sorted = isIndexed(options.orderby, scope.type)
      ? 0
      : rows * (cost.sort + orderCost(options, scope.type, estimate))
    const isDecoded = options.expand !== undefined || options.compute !== undefined || route.kind !== 'collection'
    const bytes = Math.min(limits.responseBytes, page * rowBytes)
    const shown = route.kind === 'count' ? 0 : page * (isDecoded ? cost.decodedItem : cost.item) + bytes * cost.written
    const expanded = expandCost(options.expand, scope.type, page, estimate)
    return scanned + skipped + sorted + shown + expanded + transformed + nodeCount(options) * cost.compile
  }
}

/** What an estimate refers to. */
interface Estimate extends Pick<Store, 'schema'> {
  readonly sizeOf: SizeOf
  readonly limits: ResponseLimits
  readonly aliases: Readonly<Record<string, Expression>>
  /** The costs of aliases. */
  readonly known: Map<string, number>
}

/** The cost of the conditions of a query for one row; 0 if an index finds the rows of the page. */
function rowCost({ filter, search }: QueryOptions, { table, type }: Scope, estimate: Estimate): number {
  const words = search === undefined ? 0 : wordCount(search) * cost.word
  if (filter === undefined) return words
  return words + (isIndexedCondition(filter, type) ? 0 : expressionCost(filter, { type, table, depth: 0 }, estimate))
}

function wordCount(search: SearchExpression): number {
  switch (search.kind) {
    case 'term':
    case 'phrase':
      return 1 + (search.text.match(/\s+/g)?.length ?? 0)
    case 'not':
      return 1 + wordCount(search.operand)
    default:
      return wordCount(search.left) + wordCount(search.right)
  }
}

/** Where an expression is evaluated. */
interface Place {
  /** Undefined: unknown, such as the type of a variable. */
  readonly type: EntityType | undefined
  readonly table: Table
  /** The number of collections around it. */
  readonly depth: number
}

/** The cost of an expression for one row. */
function expressionCost(expression: Expression, place: Place, estimate: Estimate): number {
  const children = (): number =>
    childExpressions(expression).reduce((sum, child) => sum + expressionCost(child, place, estimate), 0)
  switch (expression.kind) {
    case 'literal':
    case 'type':
      return 0
    case 'alias':
      return aliasCost(expression.name, place, estimate)
    case 'list':
      return expression.items.length * cost.node
    case 'path':
      return pathCost(expression.segments, place, estimate)
    case 'lambda': {
      const { items, inner } = collectionOf(expression.collection.segments, place, estimate)
      const each = expression.predicate === undefined ? 0 : expressionCost(expression.predicate, inner, estimate)
      return pathCost(expression.collection.segments, place, estimate) + items * (cost.lookup + each)
    }
    case 'call': {
      const { rowBytes } = estimate.sizeOf(place.table)
      const isPattern = expression.function === 'matchespattern'
      const steps = isPattern ? textLength(expression.arguments[1], estimate) * cost.patternStep : 0
      // A polygon in the query can have a thousand corners.
      const literals = expression.arguments.reduce((sum, each) => sum + textLength(each, estimate), 0)
      return children() + cost.call + rowBytes * (cost.byte + steps) + literals * cost.byte * 10
    }
    case 'binary':
      return children() + cost.node + estimate.sizeOf(place.table).rowBytes * cost.loadedByte
    default:
      return children() + cost.node
  }
}

function aliasCost(name: string, place: Place, estimate: Estimate): number {
  const known = estimate.known.get(name)
  if (known !== undefined) return known
  const value = Object.hasOwn(estimate.aliases, name) ? estimate.aliases[name] : undefined
  if (value === undefined) return 0
  // The binder refuses an alias inside its own value.
  estimate.known.set(name, 0)
  const found = expressionCost(value, place, estimate)
  estimate.known.set(name, found)
  return found
}

type Segments = Extract<Expression, { readonly kind: 'path' }>['segments']

/** A path reads a property, or follows relations of one item. `/$count` and `/$filter` visit the items of a collection. */
function pathCost(segments: Segments, place: Place, estimate: Estimate): number {
  let total: number = cost.node
  for (const [index, segment] of segments.entries()) {
    if (segment.kind === 'count' || segment.kind === 'filter') {
      const { items, inner } = collectionOf(segments.slice(0, index), place, estimate)
      const condition = segment.kind === 'filter' ? segment.predicate : segment.filter
      const each = condition === undefined ? 0 : expressionCost(condition, inner, estimate)
      const words = segment.kind === 'count' && segment.search !== undefined ? wordCount(segment.search) * cost.word : 0
      total += items * (cost.lookup + each + words)
    } else if (segment.kind === 'function') {
      for (const { value } of segment.parameters) total += expressionCost(value, place, estimate)
      total += cost.call
    } else if (segment.kind === 'property' && index < segments.length - 1) total += cost.lookup
  }
  return total
}

/** The number of items of a collection for one row, and the place of its items. */
function collectionOf(
  segments: Segments,
  { type, table, depth }: Place,
  { schema, sizeOf }: Estimate,
): { readonly items: number; readonly inner: Place } {
  const { rows, rowBytes } = sizeOf(table)
  let current = type
  let relation: NavigationProperty | undefined
  for (const segment of segments) {
    if (segment.kind !== 'property') continue
    relation = current?.navigation.find(({ name }) => name === segment.name)
    current = relation?.type
  }
  if (relation === undefined) {
    // Values in the row itself, or the items of a variable. Two of them inside each other can be the square of its length.
    const items = depth === 0 ? 1 + rowBytes / bytesPerItem : rowBytes
    return { items, inner: { type: undefined, table, depth: depth + 1 } }
  }
  const target = schema.tableOf(relation.type)
  const targets = sizeOf(target).rows
  // On average at first. The items of an item with many can again have many.
  const items = depth === 0 ? 1 + targets / Math.max(1, rows) : targets
  return { items, inner: { type: relation.type, table: target, depth: depth + 1 } }
}

/** The bytes of a value in a JSON array. */
const bytesPerItem = 8

function textLength(expression: Expression | undefined, { aliases }: Estimate): number {
  if (expression?.kind === 'alias') {
    const value = Object.hasOwn(aliases, expression.name) ? aliases[expression.name] : undefined
    return value?.kind === 'literal' ? String(value.value).length : 0
  }
  return expression?.kind === 'literal' ? String(expression.value).length : 0
}

const rangeOperators: ReadonlySet<string> = new Set(['eq', 'gt', 'ge', 'lt', 'le'])

/** The conditions that all items of a query meet and for which an index finds the rows, with the values of the call. */
export function indexedConditions({ options, replacements }: QueryTemplate, type: EntityType): readonly Expression[] {
  const found: Expression[] = []
  const visit = (filter: Expression): void => {
    if (filter.kind === 'binary' && filter.operator === 'and') {
      visit(filter.left)
      visit(filter.right)
    } else if (isIndexedCondition(filter, type)) found.push(withValues(filter, replacements))
  }
  if (options.filter !== undefined) visit(options.filter)
  return found
}

/** An indexed condition whose value is the one of the call. */
function withValues(condition: Expression, replacements: QueryTemplate['replacements']): Expression {
  if (condition.kind !== 'binary' || condition.right.kind !== 'literal') return condition
  return { ...condition, right: replacements.get(condition.right) ?? condition.right }
}

/**
 * Whether an index finds exactly the rows: the condition compares one property that has an index with a value, or with the start of
 * a text.
 */
function isIndexedCondition(filter: Expression, type: EntityType): boolean {
  if (filter.kind === 'call' && filter.function === 'startswith') {
    const [whole, start] = filter.arguments
    return start?.kind === 'literal' && whole !== undefined && isIndexedPath(whole, type)
  }
  if (filter.kind !== 'binary' || !rangeOperators.has(filter.operator)) return false
  const { left, right } = filter
  return right.kind === 'literal' && right.value !== null && isIndexedPath(left, type)
}

function isIndexedPath(expression: Expression, type: EntityType): boolean {
  if (expression.kind !== 'path' || expression.root !== undefined || expression.segments.length !== 1) return false
  const [segment] = expression.segments
  const property: Property | undefined =
    segment?.kind === 'property' ? type.properties.find(({ name }) => name === segment.name) : undefined
  return property !== undefined && (property.index || property.unique || type.key[0] === property)
}

/** Whether an index gives the order. */
function isIndexed(orderby: readonly OrderbyItem[] | undefined, type: EntityType): boolean {
  const [first, ...more] = orderby ?? []
  return first === undefined || (more.length === 0 && isIndexedPath(first.expression, type))
}

function orderCost({ orderby = [] }: QueryOptions, type: EntityType, estimate: Estimate): number {
  const place = { type, table: estimate.schema.tableOf(type), depth: 0 }
  return orderby.reduce((sum, { expression }) => sum + expressionCost(expression, place, estimate), 0)
}

/** All transformations visit all rows, and group or sort what they get. */
function transformationCost({ apply }: QueryOptions, { table, type }: Scope, estimate: Estimate): number {
  if (apply === undefined) return 0
  const place = { type, table, depth: 0 }
  const expressions = transformationExpressions(apply)
  const perRow = expressions.reduce((sum, each) => sum + cost.sort + expressionCost(each, place, estimate), 0)
  return estimate.sizeOf(table).rows * (perRow + apply.length * cost.sort)
}

/** The cost of the related items of a number of items. */
function expandCost(
  expand: readonly ExpandItem[] | undefined,
  type: EntityType,
  parents: number,
  estimate: Estimate,
): number {
  let total = 0
  for (const { path, options = {} } of expand ?? []) {
    const name = path.at(-1)
    const relations = navigationOf(path, type, estimate).filter(each => name === '*' || each.name === name)
    const levels = options.levels === 'max' ? maxLevels : (options.levels ?? 1)
    for (const relation of relations) {
      let from = parents
      for (let level = 0; level < levels; level++) {
        const { found, price } = relationCost(relation, options, from, estimate)
        total += price + expandCost(options.expand, relation.type, found, estimate)
        from = found
      }
    }
  }
  return total
}

/** Deeper ones end with the limit of items. */
const maxLevels = 10

function navigationOf(path: readonly string[], type: EntityType, { schema }: Estimate): readonly NavigationProperty[] {
  const [first = ''] = path
  return first.includes('.') ? schema.typeOf(first.slice(first.lastIndexOf('.') + 1)).navigation : type.navigation
}

function relationCost(
  relation: NavigationProperty,
  options: QueryOptions,
  parents: number,
  estimate: Estimate,
): { readonly found: number; readonly price: number } {
  const { schema, sizeOf, limits } = estimate
  const table = schema.tableOf(relation.type)
  const { rows, rowBytes } = sizeOf(table)
  const place = { type: relation.type, table, depth: 0 }
  const isOwned = relation.contained || schema.relationOf(relation).kind === 'referenced'
  // The targets of one owner are never those of another.
  const visited = !relation.collection ? Math.min(parents, parents * rows) : isOwned ? rows : parents * rows
  const found = Math.min(visited, parents * (options.top ?? Number.POSITIVE_INFINITY), limits.expandedItems)
  const filter = options.filter === undefined ? 0 : expressionCost(options.filter, place, estimate)
  const words = options.search === undefined ? 0 : wordCount(options.search) * cost.word
  const order = orderCost(options, relation.type, estimate)
  const bytes = Math.min(limits.responseBytes, found * rowBytes)
  const price =
    visited * (cost.row + cost.sort + filter + words + order) + found * cost.decodedItem + bytes * cost.written
  return { found, price: price + parents * cost.lookup }
}

/** The nodes of all expressions, nested options included. */
function nodeCount(options: QueryOptions): number {
  const known = nodeCounts.get(options)
  if (known !== undefined) return known
  let count = 0
  JSON.stringify(options, (_, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'kind' in value) count++
    return value
  })
  nodeCounts.set(options, count)
  return count
}

const nodeCounts = new WeakMap<QueryOptions, number>()
