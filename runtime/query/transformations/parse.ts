import type { AggregateItem, AggregationMethod, GroupingItem, Transformation } from '../ast.js'
import {
  CLOSE,
  COMMA,
  Cursor,
  DOLLAR,
  enter,
  fail,
  identifierEnd,
  OPEN,
  SLASH,
  skipWhitespace,
  take,
  takeClose,
  takeIdentifier,
  takeQualifiedRest,
  takeSpaced,
  takeWord,
  whitespaceEnd,
} from '../cursor.js'
import { parseExpression } from '../expressions.js'
import { parseComputeItem, parseItems, parseOrderbyItem, requireEndOfOption, takeCount } from '../options.js'
import { parseSearchExpression } from '../search.js'

const rankedName = /^(top|bottom)(count|sum|percent)$/i

/**
 * Parses transformations, separated by slashes: `filter(price gt 5)/groupby((genre),aggregate($count as n))`.
 *
 * @see OData Extension for Data Aggregation 4.0, 3
 */
export function parseTransformations(cursor: Cursor): readonly Transformation[] {
  const all: Transformation[] = []
  do all.push(parseTransformation(cursor))
  while (takeSpaced(cursor, SLASH))
  return all
}

/**
 * The transformations of an `$apply`, percent-decoded.
 *
 * @throws {QuerySyntaxError} when the text breaks the grammar
 * @see OData Extension for Data Aggregation 4.0, 3
 */
export function parseApply(text: string): readonly Transformation[] {
  const cursor = new Cursor(text, '$apply')
  const all = parseTransformations(cursor)
  requireEndOfOption(cursor, 'apply')
  return all
}

export const transformationNames = [
  'aggregate',
  'groupby',
  'filter',
  'compute',
  'concat',
  'orderby',
  'top',
  'skip',
  'search',
  'identity',
  'topcount',
  'topsum',
  'toppercent',
  'bottomcount',
  'bottomsum',
  'bottompercent',
] as const

function parseTransformation(cursor: Cursor): Transformation {
  cursor.steps += 1
  skipWhitespace(cursor)
  const start = cursor.position
  const name = cursor.text.slice(start, identifierEnd(cursor.text, start)).toLowerCase()
  cursor.position = start + name.length
  if (name === 'identity') return { kind: 'identity' }
  if (cursor.text.charCodeAt(cursor.position) !== OPEN) fail(cursor, start, [`a transformation (${listed()})`])
  enter(cursor, 1)
  const transformation = parseTransformationArguments(cursor, name, start)
  takeClose(cursor)
  cursor.nesting -= 1
  return transformation
}

function listed(): string {
  return transformationNames.map(name => `\`${name}\``).join(', ')
}

function parseTransformationArguments(cursor: Cursor, name: string, start: number): Transformation {
  switch (name) {
    case 'filter':
      return { kind: 'filter', filter: parseExpression(cursor) }
    case 'search':
      return { kind: 'search', search: parseSearchExpression(cursor, true) }
    case 'orderby':
      return { kind: 'orderby', orderby: parseItems(cursor, parseOrderbyItem) }
    case 'top':
    case 'skip':
      skipWhitespace(cursor)
      return { kind: name, count: takeCount(cursor) }
    case 'compute':
      return { kind: 'compute', compute: parseItems(cursor, parseComputeItem) }
    case 'aggregate':
      return { kind: 'aggregate', aggregate: parseAggregates(cursor) }
    case 'groupby':
      return parseGroupby(cursor)
    case 'concat':
      return parseConcat(cursor)
    default:
      return parseRanked(cursor, name, start)
  }
}

function parseRanked(cursor: Cursor, name: string, start: number): Transformation {
  const [, end, by] = rankedName.exec(name) ?? []
  if ((end !== 'top' && end !== 'bottom') || (by !== 'count' && by !== 'sum' && by !== 'percent')) {
    return fail(cursor, start, [`a transformation (${listed()})`])
  }
  const amount = parseExpression(cursor)
  if (!takeSpaced(cursor, COMMA)) fail(cursor, cursor.position, ['`,` and the measure'])
  return { kind: 'ranked', end, by, amount, measure: parseExpression(cursor) }
}

function parseAggregates(cursor: Cursor): readonly AggregateItem[] {
  const items: AggregateItem[] = []
  do items.push(parseAggregate(cursor))
  while (takeSpaced(cursor, COMMA))
  return items
}

function parseAggregate(cursor: Cursor): AggregateItem {
  cursor.steps += 1
  skipWhitespace(cursor)
  const isWhole = cursor.text.charCodeAt(cursor.position) === DOLLAR && takeWord(cursor, cursor.position + 1, 'count')
  if (isWhole) return { method: 'count', alias: takeAlias(cursor) }
  const expression = parseExpression(cursor)
  const isCount = expression.kind === 'path' && expression.segments.at(-1)?.kind === 'count'
  if (isCount && takeAs(cursor)) return { expression, method: 'count', alias: takeAliasName(cursor) }
  takeSpacedWord(cursor, 'with')
  const start = cursor.position
  const method = methodNamed(takeQualifiedRest(cursor, takeIdentifier(cursor, 'an aggregation method')))
  if (method === undefined) return fail(cursor, start, ['`sum`, `min`, `max`, `average` or `countdistinct`'])
  return { expression, method, alias: takeAlias(cursor) }
}

function methodNamed(name: string): AggregationMethod | undefined {
  const lower = name.toLowerCase()
  switch (lower) {
    case 'sum':
    case 'min':
    case 'max':
    case 'average':
    case 'countdistinct':
      return lower
    default:
      return undefined
  }
}

function takeAlias(cursor: Cursor): string {
  takeSpacedWord(cursor, 'as')
  return takeAliasName(cursor)
}

function takeAliasName(cursor: Cursor): string {
  return takeIdentifier(cursor, 'the name of the result')
}

/** Consumes ` as ` if it comes next. */
function takeAs(cursor: Cursor): boolean {
  const start = whitespaceEnd(cursor.text, cursor.position)
  if (start === cursor.position || !takeWord(cursor, start, 'as')) return false
  skipWhitespace(cursor)
  return true
}

/** Consumes a word between spaces. */
function takeSpacedWord(cursor: Cursor, word: string): void {
  const start = whitespaceEnd(cursor.text, cursor.position)
  if (start === cursor.position || !takeWord(cursor, start, word)) fail(cursor, start, [`\`${word}\``])
  const end = whitespaceEnd(cursor.text, cursor.position)
  if (end === cursor.position) fail(cursor, end, ['a space'])
  cursor.position = end
}

function parseGroupby(cursor: Cursor): Transformation {
  skipWhitespace(cursor)
  if (!take(cursor, OPEN)) fail(cursor, cursor.position, ['`(` and properties'])
  const by: GroupingItem[] = []
  do by.push(parseGrouping(cursor))
  while (takeSpaced(cursor, COMMA))
  takeClose(cursor, ['`,`'])
  const apply = takeSpaced(cursor, COMMA) ? parseTransformations(cursor) : []
  return { kind: 'groupby', by, apply }
}

function parseGrouping(cursor: Cursor): GroupingItem {
  cursor.steps += 1
  skipWhitespace(cursor)
  const { text, position } = cursor
  const end = identifierEnd(text, position)
  if (text.slice(position, end).toLowerCase() !== 'rollup' || text.charCodeAt(end) !== OPEN) {
    return { kind: 'property', path: takeGroupingPath(cursor) }
  }
  cursor.position = end + 1
  skipWhitespace(cursor)
  const total = takeAll(cursor) || takeNull(cursor)
  const paths: (readonly string[])[] = []
  if (total && !takeSpaced(cursor, COMMA)) fail(cursor, cursor.position, ['`,` and a property'])
  do {
    skipWhitespace(cursor)
    paths.push(takeGroupingPath(cursor))
  } while (takeSpaced(cursor, COMMA))
  takeClose(cursor, ['`,`'])
  return { kind: 'rollup', paths, total }
}

/** `$all` is how a draft of the standard wrote `null`. */
function takeAll(cursor: Cursor): boolean {
  if (!cursor.text.slice(cursor.position).toLowerCase().startsWith('$all')) return false
  cursor.position += '$all'.length
  return true
}

/** The word `null`, unless it is the name of a property that a path continues. */
function takeNull(cursor: Cursor): boolean {
  const { position } = cursor
  if (!takeWord(cursor, position, 'null')) return false
  if (cursor.text.charCodeAt(cursor.position) !== SLASH) return true
  cursor.position = position
  return false
}

function takeGroupingPath(cursor: Cursor): readonly string[] {
  const path: string[] = []
  do path.push(takeQualifiedRest(cursor, takeIdentifier(cursor, 'the name of a property')))
  while (take(cursor, SLASH))
  return path
}

function parseConcat(cursor: Cursor): Transformation {
  const branches = [parseTransformations(cursor)]
  while (takeSpaced(cursor, COMMA)) branches.push(parseTransformations(cursor))
  if (branches.length < 2 || cursor.text.charCodeAt(whitespaceEnd(cursor.text, cursor.position)) !== CLOSE) {
    fail(cursor, cursor.position, ['`,` and other transformations'])
  }
  return { kind: 'concat', branches }
}
