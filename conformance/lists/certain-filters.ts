import type { Expression, Literal } from '../../runtime/query/index.js'
import type { Row } from '../json.js'
import { predict } from '../oracle/predict.js'
import {
  binary,
  call,
  falseLiteral,
  joinConditions,
  not,
  nullLiteral,
  pathTo,
  stringLiteral,
} from '../probes/expressions.js'
import type { Grammar, Term } from '../probes/grammar.js'
import { isWellFormed, type LiteralContext, literalOf, valuesAt } from '../probes/observed-values.js'
import type { Session } from '../session/session.js'
import { type LeafProperty, leafProperties, leafValue } from './properties.js'
import type { QuerySite } from './related-items.js'
import { timestampsMayBeFiner } from './sort-order.js'

/** A filter whose result is certain, and how many rows it has. */
interface CertainFilter {
  readonly filter: Expression
  readonly rows: number
}

/**
 * Simple comparisons whose result is the same in every conforming service, those that split the list most evenly first.
 * They are for rules that need some filter and check something else.
 */
export function certainFilters(site: QuerySite, session: Session): readonly CertainFilter[] {
  const snapshot = session.snapshot(site)
  const { support, operators, properties } = site.endpoint.query.filter
  if (snapshot?.complete !== true || support === 'none') return []
  const size = snapshot.byKey.size
  const found: CertainFilter[] = []
  for (const leaf of leafProperties(site.type)) {
    if (leaf.path.length > 1 || Object.hasOwn(properties, leaf.path.join('/'))) continue
    if (leaf.typeName === 'Edm.DateTimeOffset' && timestampsMayBeFiner(session)) continue
    const values = snapshot.rows.map(row => leafValue(row, leaf.path))
    for (const filter of certainComparisons(leaf, values)) {
      if (!Object.hasOwn(operators, filter.operator)) continue
      const { must, may } = predict(filter, snapshot, session)
      if (must.size === may.size && must.size > 0 && must.size < size) found.push({ filter, rows: must.size })
    }
  }
  const evenness = ({ rows }: CertainFilter): number => Math.min(rows, size - rows)
  return found.sort((a, b) => evenness(b) - evenness(a))
}

type Comparison = Extract<Expression, { kind: 'binary' }>

/** Comparisons that split the rows by a property. */
export function certainComparisons(
  { path, typeName }: Pick<LeafProperty, 'path' | 'typeName'>,
  values: readonly unknown[],
): readonly Comparison[] {
  const left = pathTo(path)
  const present = [...new Set(values.filter(value => value !== null && value !== undefined))]
  const compare = (operator: Comparison['operator'], literal: Literal): Comparison => ({
    kind: 'binary',
    operator,
    left,
    right: literal,
  })
  if (typeName === 'Edm.Boolean') {
    return present.flatMap(value =>
      typeof value === 'boolean' ? [compare('eq', { kind: 'literal', type: 'Boolean', value })] : [],
    )
  }
  const type = literalTypes.get(typeName)
  if (type === undefined) return []
  const texts = present.map(String).sort((a, b) => (type === 'Integer' ? Number(a) - Number(b) : a < b ? -1 : 1))
  const middle = texts[Math.floor(texts.length / 2)]
  if (middle === undefined) return []
  const literal: Literal = { kind: 'literal', type, value: middle }
  return isWellFormed(literal) ? [compare('ge', literal)] : []
}

const literalTypes: ReadonlyMap<string, 'Integer' | 'DateTimeOffset' | 'Date'> = new Map([
  ['Edm.DateTimeOffset', 'DateTimeOffset'],
  ['Edm.Date', 'Date'],
  ['Edm.Byte', 'Integer'],
  ['Edm.Int16', 'Integer'],
  ['Edm.Int32', 'Integer'],
])

/** A property with free text: some row has a text with a space. A made-up text is a plausible value of it, unlike of a key. */
export function freeTextTerm({ terms }: Pick<Grammar, 'terms'>, rows: readonly Row[]): Term | undefined {
  return terms.find(({ path, type, allows }) => {
    const [name = ''] = path
    const isText = path.length === 1 && type === 'Edm.String' && allows('eq')
    return isText && rows.some(row => typeof row[name] === 'string' && /\w \w/.test(row[name]))
  })
}

/** The properties that one filter of beginnings compares. */
const maxBeginnings = 10
/** A property with so many different values has no fixed set of them. */
const manyValues = 5

/**
 * A filter that compares properties with the beginnings of their values, each of which is no value itself: `eq` is no comparison with the
 * start of a text. One request is enough for several properties.
 */
export function equalToBeginnings({ terms }: Pick<Grammar, 'terms'>, rows: readonly Row[]): Expression | undefined {
  const conditions = terms.flatMap(({ path, type, allows }) => {
    const [name = ''] = path
    if (path.length !== 1 || type !== 'Edm.String' || !allows('eq')) return []
    const beginning = beginningOf(rows.map(row => row[name]))
    return beginning === undefined ? [] : [binary('eq', pathTo(path), stringLiteral(beginning))]
  })
  const [first, ...others] = conditions.slice(0, maxBeginnings)
  return first === undefined
    ? undefined
    : joinConditions('or', first, ...(terms[0]?.allows('or') === true ? others : []))
}

/** The start of one of the values, which is not a value itself. */
function beginningOf(all: readonly unknown[]): string | undefined {
  const values = all.filter(value => typeof value === 'string')
  // Another text may be no value at all of a property with a fixed set of values.
  const isVaried = new Set(values).size >= manyValues
  const whole =
    values.find(value => /\w[ @]\w/.test(value)) ??
    (isVaried ? values.find(value => /^\p{L}{4,}$/u.test(value)) : undefined)
  // Half of a character has no URL.
  const beginning = whole === undefined ? undefined : [...whole].slice(0, -1).join('')
  const isValue = values.some(value => value.toLowerCase() === beginning?.toLowerCase())
  return isValue ? undefined : beginning
}

/**
 * Filters with constructs that services translate in a special way: the text `null`, a function of null and a
 * comparison with null before `or`, a text longer than the values, a literal on the left, and a comparison of a function with
 * `false`. A service may refuse them.
 */
export function specialFilters({ terms }: Pick<Grammar, 'terms'>, rows: readonly Row[]): readonly Expression[] {
  const columns = terms
    .filter(({ path }) => path.length === 1)
    .map(term => ({ term, path: pathTo(term.path), values: rows.map(row => row[term.path[0] ?? '']) }))
  const texts = columns.flatMap(({ term, path, values }) => {
    const present = [...new Set(values.filter(value => typeof value === 'string' && value !== ''))].map(String)
    const isNullable = values.includes(null)
    return term.type === 'Edm.String' && term.allows('eq') && present.length > 1
      ? [{ term, path, values, present, isNullable }]
      : []
  })
  const withNull = texts.find(({ isNullable }) => isNullable)
  const whole = texts.filter(({ isNullable }) => !isNullable)
  const startsWith = (path: Expression, text: string): Expression => call('startswith', path, stringLiteral(text))
  const found: Expression[] = []
  if (withNull !== undefined && !withNull.values.includes('null')) {
    found.push(binary('eq', withNull.path, stringLiteral('null')))
  }
  const other = whole.find(({ term }) => term.allows('or'))
  if (withNull?.term.allows('startswith') === true && other !== undefined) {
    const value = other.values[withNull.values.indexOf(null)]
    const never = startsWith(withNull.path, 'specwright')
    if (typeof value === 'string') {
      const isItem = binary('eq', other.path, stringLiteral(value))
      const isNever = binary('eq', withNull.path, stringLiteral('specwright'))
      const [first, second] = [binary('or', never, isItem), binary('or', isNever, isItem)]
      found.push(other.term.allows('and') ? binary('and', first, second) : first)
    }
  }
  const [varied] = whole.toSorted((a, b) => lengthRange(b.present) - lengthRange(a.present))
  if (varied !== undefined && lengthRange(varied.present) > 0) {
    // Of different values, so that neither condition hides the other.
    const longest = varied.present.toSorted((a, b) => b.length - a.length)
    const matches = ['endswith', 'startswith'].filter(varied.term.allows)
    const [first, ...others] = matches.map((name, index) =>
      call(name, varied.path, stringLiteral(longest[index] ?? '')),
    )
    if (first !== undefined) {
      found.push(joinConditions('or', first, ...(varied.term.allows('or') ? others : [])))
    }
  }
  const ordered = columns.find(({ term }) => literalTypes.has(term.type) && term.allows('lt'))
  const [comparison] =
    ordered === undefined
      ? []
      : certainComparisons({ path: ordered.term.path, typeName: ordered.term.type }, ordered.values)
  if (comparison !== undefined) found.push(binary('lt', comparison.right, comparison.left))
  else if (whole[0]?.term.allows('lt') === true) {
    const middle = whole[0].present.toSorted()[Math.floor(whole[0].present.length / 2)]
    if (middle !== undefined) found.push(binary('lt', stringLiteral(middle), whole[0].path))
  }
  const [named] = whole.filter(({ term }) => term.allows('startswith'))
  const beginning = named?.present[0]?.match(/^[A-Za-z]{2}/)?.[0]
  if (named !== undefined && beginning !== undefined) {
    found.push(binary('eq', startsWith(named.path, beginning), falseLiteral))
  }
  return found
}

/**
 * A filter with what services forget: the negation of a comparison with null, null as a text, empty texts, and letters beyond ASCII. No
 * item matches it, but those with an empty text. Undefined if the properties or the operators for it are missing.
 */
export function cornerCaseFilter({ terms }: Pick<Grammar, 'terms'>, rows: readonly Row[]): Expression | undefined {
  const texts = terms
    .filter(({ path, type, allows }) => path.length === 1 && type === 'Edm.String' && allows('eq') && allows('or'))
    .map(({ path, allows }) => ({ path: pathTo(path), allows, values: rows.map(row => row[path[0] ?? '']) }))
  const nullable = texts.find(({ values }) => values.includes(null))
  const whole = texts.find(({ values }) => values.length > 0 && values.every(value => typeof value === 'string'))
  const conditions: Expression[] = []
  if (nullable !== undefined) {
    conditions.push(binary('eq', nullable.path, stringLiteral('')))
    const isNull = binary('eq', nullable.path, nullLiteral)
    if (nullable.allows('not') && nullable.allows('and')) conditions.push(binary('and', isNull, not(isNull)))
    if (nullable.allows('startswith')) conditions.push(call('startswith', nullable.path, stringLiteral('nul')))
  }
  if (whole?.allows('startswith') === true && whole.allows('not'))
    conditions.push(not(call('startswith', whole.path, stringLiteral(''))))
  const near = texts.flatMap(({ path, allows, values }) => {
    const match = ['contains', 'startswith'].find(allows)
    const part = values
      .filter(value => typeof value === 'string')
      .map(partWithOtherLetter)
      .find(each => each !== undefined)
    return match === undefined || part === undefined ? [] : [call(match, path, stringLiteral(part))]
  })
  const [first, ...others] = [...conditions, ...near.slice(0, 1)]
  return first && joinConditions('or', first, ...others)
}

/** So many properties fit into one filter. */
const maxBorders = { strict: 4, inclusive: 5 } as const

/**
 * Filters that compare each property with a value of an item by all operators: `gt`, `lt` and `ne` do not match the item, whatever the
 * collation, and `ge` and `le` do. Each property has the value of another item, so that none hides a fault of another.
 */
export function borderFilters({ terms }: Pick<Grammar, 'terms'>, rows: readonly Row[]): readonly Expression[] {
  const columns = terms.filter(({ path, allows }) => path.length === 1 && allows('and') && allows('or') && allows('eq'))
  const strict: Expression[] = []
  const inclusive: Expression[] = []
  for (const [index, { path, type, allows, nullable }] of columns.entries()) {
    const value = [...rows.slice(index), ...rows.slice(0, index)].map(row => row[path[0] ?? '']).find(isPlainValue)
    const literal = value === undefined ? undefined : literalOfValue(value, type)
    if (literal === undefined) continue
    const compare = (operator: Comparison['operator']): Expression => binary(operator, pathTo(path), literal)
    const isOrdered = type === 'Edm.String' || literalTypes.has(type)
    const [firstOfStrict, ...others] = [...(isOrdered ? (['gt', 'lt'] as const) : []), 'ne' as const].filter(allows)
    if (firstOfStrict !== undefined) {
      const never = joinConditions('or', compare(firstOfStrict), ...others.map(compare))
      strict.push(binary('and', compare('eq'), never))
    }
    const [firstOfInclusive, ...more] = (isOrdered ? (['ge', 'le'] as const) : (['eq'] as const)).filter(allows)
    if (firstOfInclusive === undefined) continue
    const isNotNull = nullable && allows('ne') ? [binary('ne', pathTo(path), nullLiteral)] : []
    inclusive.push(joinConditions('and', compare(firstOfInclusive), ...more.map(compare), ...isNotNull))
  }
  const range = rangeFilter(columns, rows)
  return [
    ...(range === undefined ? [] : [range]),
    ...inChains(strict, maxBorders.strict),
    ...inChains(inclusive, maxBorders.inclusive),
  ]
}

/** So many properties fit into a filter of ranges. */
const maxRanges = 7

/**
 * The items between the smallest and the largest value of each property without null, and with another text than the start of one. They are
 * all items, as far as that is certain.
 */
function rangeFilter(columns: Grammar['terms'], rows: readonly Row[]): Expression | undefined {
  const ranges = columns.flatMap(({ path, type, allows }) => {
    const values = rows.map(row => row[path[0] ?? ''])
    if (!(type === 'Edm.String' || literalTypes.has(type)) || !allows('ge') || !allows('le')) return []
    const sorted = values.filter(isPlainValue).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    const [least, most] = [sorted[0], sorted.at(-1)]
    if (sorted.length < values.length || least === undefined || most === undefined || least === most) return []
    const [low, high] = [literalOfValue(least, type), literalOfValue(most, type)]
    if (low === undefined || high === undefined) return []
    const beginning = type === 'Edm.String' && allows('ne') ? beginningOf(values) : undefined
    const range = binary('and', binary('ge', pathTo(path), low), binary('le', pathTo(path), high))
    return [
      beginning === undefined ? range : binary('and', range, binary('ne', pathTo(path), stringLiteral(beginning))),
    ]
  })
  const [first, ...others] = ranges.slice(0, maxRanges)
  return first && joinConditions('and', first, ...others)
}

function inChains(conditions: readonly Expression[], length: number): readonly Expression[] {
  const [first, ...others] = conditions.slice(0, length)
  return first === undefined
    ? []
    : [joinConditions('or', first, ...others), ...inChains(conditions.slice(length), length)]
}

/** Longer texts would make a filter too long for a URL. */
const maxValueLength = 80

function isPlainValue(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return value !== '' && value.length <= maxValueLength
  return Number.isSafeInteger(value) || typeof value === 'boolean'
}

function literalOfValue(value: string | number | boolean, type: string): Literal | undefined {
  if (typeof value === 'boolean')
    return type === 'Edm.Boolean' ? { kind: 'literal', type: 'Boolean', value } : undefined
  const literalType = type === 'Edm.String' ? 'String' : literalTypes.get(type)
  if (literalType === undefined) return undefined
  const literal: Literal = { kind: 'literal', type: literalType, value: String(value) }
  return isWellFormed(literal) ? literal : undefined
}

/** The start of a text up to its first letter beyond ASCII, with a letter of another alphabet instead of that one. */
function partWithOtherLetter(text: string): string | undefined {
  const [start] = /^.*?[\u{c0}-\u{24f}]/u.exec(text) ?? []
  return start === undefined || start.includes("'") ? undefined : `${start.slice(0, -1)}\u{436}`
}

/** The difference between the lengths of the longest and the shortest text. */
function lengthRange(texts: readonly string[]): number {
  const lengths = texts.map(({ length }) => length)
  return Math.max(...lengths) - Math.min(...lengths)
}

/**
 * A filter by a value whose first letter is percent-encoded in the literal, or has a backslash after it: no item has such a text, unless
 * the service decodes the query twice, or takes a backslash for an escape. Nothing else in it changes or fails then.
 */
export function equalToEncoded({ terms }: Pick<Grammar, 'terms'>, rows: readonly Row[]): Expression | undefined {
  const term = freeTextTerm({ terms }, rows)
  const [name = ''] = term?.path ?? []
  const value = rows
    .map(row => row[name])
    .find(text => typeof text === 'string' && /^[A-Za-z][A-Za-z0-9 .,-]+$/.test(text))
  if (term === undefined || typeof value !== 'string') return undefined
  const encoded = `%${value.charCodeAt(0).toString(16).toUpperCase()}${value.slice(1)}`
  const escaped = `${value[0]}\\${value.slice(1)}`
  const [first, second] = [encoded, escaped].map(text => binary('eq', pathTo(term.path), stringLiteral(text)))
  return first && second && term.allows('or') ? binary('or', first, second) : first
}

/** So many collections, and so many properties of the items of each, have plain lambdas. */
const maxPlain = { collections: 3, terms: 2 }

/**
 * `any` with one comparison, alone and behind `not`, which some services support without longer predicates. The values are at the end of a
 * collection, or at its start.
 */
export function plainLambdas(
  { collections, has }: Pick<Grammar, 'collections' | 'has'>,
  rows: readonly Row[],
  context: LiteralContext,
): readonly Expression[] {
  const found = collections.slice(0, maxPlain.collections).map(({ path, items }) => {
    const lambdas = items.slice(0, maxPlain.terms).flatMap(term => {
      const values = rows.map(row => valuesAt([row], [...path, ...term.path]).filter(isPlainValue))
      const [longest = []] = values.toSorted((a, b) => new Set(b).size - new Set(a).size)
      const anyOf = (value: unknown): readonly Expression[] => {
        const literal = value === undefined ? undefined : literalOf(term.type, value, context)
        if (literal === undefined) return []
        const predicate = binary('eq', pathTo(term.path, 'x'), literal)
        return [{ kind: 'lambda', operator: 'any', collection: pathTo(path), variable: 'x', predicate }]
      }
      return [{ last: anyOf(longest.at(-1)), first: anyOf(longest[0]) }]
    })
    return [
      ...lambdas.flatMap(({ last }) => last),
      ...(has('not') ? lambdas.flatMap(({ first }) => first.map(not)) : []),
    ]
  })
  // One of each collection before the second one of any.
  const most = Math.max(0, ...found.map(({ length }) => length))
  return Array.from({ length: most }, (_, index) => found.flatMap(each => each[index] ?? [])).flat()
}

/** A filter that no item matches. */
export function filterWithoutMatch(grammar: Pick<Grammar, 'terms'>, rows: readonly Row[]): Expression | undefined {
  const text = freeTextTerm(grammar, rows)
  return text && binary('eq', pathTo(text.path), stringLiteral('specwright no such text'))
}
