import {
  type Expression,
  printQueryOptions,
  type QueryOptions,
  type SearchExpression,
} from '../../../runtime/query/index.js'
import type { Condition, Property, QueryCapabilities } from '../../../spec/language/index.js'
import type { Site } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { primitiveOf } from '../../lists/properties.js'
import { isAssumed } from '../../lists/type-mismatch.js'
import { filterableProperties } from '../../rule/query-request.js'
import { errorBodyOf } from '../../rule/response.js'
import type { TestCase } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'

/**
 * A query for each combination of constructs that triggers a condition of an endpoint. `name` lists the constructs that
 * require the header, joined by `+`; `text` is the query. The query is not in the options of the case, because it is sent
 * to be rejected.
 */
export function triggersOf(site: Site, session: Session): readonly Trigger[] {
  const { endpoint } = site
  if (!('query' in endpoint) || endpoint.query === undefined) return []
  const { query } = endpoint
  return query.requires.flatMap(condition =>
    condition.when.flatMap(constructs => {
      const options = combined(constructs.map(construct => optionsWith(construct, site, query, session)))
      if (options === undefined) return []
      const name = constructs.join('+')
      const around = [...nestedFilters(options, site, session), ...besides(options, site, query, session)]
      const nested = around.map(each => ({ name, text: printQueryOptions(each) }))
      return [
        {
          condition,
          test: { name, text: printQueryOptions(options) },
          nested,
        },
      ]
    }),
  )
}

export interface Trigger {
  readonly condition: Condition
  readonly test: TestCase
  /** The same constructs inside parentheses, first and last, if they are in the filter, and beside other options. */
  readonly nested: readonly TestCase[]
}

/**
 * The options with `plain and (plain or filter)` and `(filter or plain) and plain`, where `plain` is a comparison, and with
 * `not (filter)`.
 */
function nestedFilters(options: QueryOptions, site: Site, session: Session): readonly QueryOptions[] {
  const { filter } = options
  const name = filterableProperties(site, session, 'String')[0]?.name
  if (filter === undefined || name === undefined) return []
  const plain = comparison('eq', path(name), 'a')
  const join = (operator: 'and' | 'or', left: Expression, right: Expression): Expression => {
    return { kind: 'binary', operator, left, right }
  }
  const last = join('and', plain, join('or', plain, filter))
  const first = join('and', join('or', filter, plain), plain)
  const mayNegate = 'query' in site.endpoint && (site.endpoint.query?.filter.operators['not'] ?? 'none') !== 'none'
  const negated: Expression = { kind: 'unary', operator: 'not', operand: filter }
  return [last, first, ...(mayNegate ? [negated] : [])].map(each => ({ ...options, filter: each }))
}

/** The options together with others, each of which may take a different code path. */
function besides(
  options: QueryOptions,
  site: Site,
  query: QueryCapabilities,
  session: Session,
): readonly QueryOptions[] {
  if (site.endpoint.kind !== 'collection') return []
  const isSupported = (option: 'orderby' | 'top' | 'select' | 'count'): boolean =>
    (option === 'select' || option === 'count' ? query[option] : query[option].support) !== 'none'
  return (['orderby', 'top', 'select', 'count'] as const).flatMap(option => {
    const other =
      Object.hasOwn(options, option) || !isSupported(option) ? undefined : optionsWith(option, site, query, session)
    return other === undefined ? [] : [{ ...other, ...options }]
  })
}

/** The condition that a combination of constructs triggers. */
export function conditionOf({ endpoint }: Site, name: string | undefined): Condition | undefined {
  const requires = 'query' in endpoint ? (endpoint.query?.requires ?? []) : []
  return requires.find(({ when }) => when.some(constructs => constructs.join('+') === name))
}

/** Merges options; combines filters with `and`. Undefined if one of them is undefined. */
function combined(parts: readonly (QueryOptions | undefined)[]): QueryOptions | undefined {
  let all: QueryOptions = {}
  for (const part of parts) {
    if (part === undefined) return undefined
    const filters = [all.filter, part.filter].filter(each => each !== undefined)
    const [left, right] = filters
    const filter: Expression | undefined =
      left !== undefined && right !== undefined ? { kind: 'binary', operator: 'and', left, right } : left
    all = { ...all, ...part, ...(filter === undefined ? {} : { filter }) }
  }
  return all
}

function optionsWith(
  construct: string,
  site: Site,
  query: QueryCapabilities,
  session: Session,
): QueryOptions | undefined {
  const [option, detail] = construct.split('.', 2)
  switch (option) {
    case 'countPath':
      return site.endpoint.kind === 'count' ? {} : undefined
    case 'filter':
      return filterWith(detail, site, session)
    case 'search':
      return searchOf(query, site)
    case 'count':
      return { count: true }
    case 'top':
    case 'skip':
      return { [option]: 1 }
    case 'select': {
      const name = site.type?.key[0]?.name
      return name === undefined ? undefined : { select: [{ path: [name] }] }
    }
    case 'orderby': {
      const name = site.type?.key[0]?.name
      return name === undefined ? undefined : { orderby: [{ expression: path(name), direction: 'asc' }] }
    }
    case 'expand': {
      const relation = Object.entries(query.expand.relations).find(([, support]) => support !== 'none')?.[0]
      return relation === undefined ? undefined : { expand: [{ path: [relation] }] }
    }
    default:
      return undefined
  }
}

const comparisons = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const
const matches: ReadonlySet<string> = new Set(['contains', 'startswith', 'endswith'])

function filterWith(detail: string | undefined, site: Site, session: Session): QueryOptions | undefined {
  if (detail === 'any') return lambda(site, session)
  const name = filterableProperties(site, session, 'String')[0]?.name
  if (name === undefined) return undefined
  const operator = comparisons.find(each => each === detail)
  if (operator !== undefined || detail === undefined) return { filter: comparison(operator ?? 'eq', path(name), 'a') }
  if (matches.has(detail)) return { filter: { kind: 'call', function: detail, arguments: [path(name), text('a')] } }
  if (detail === 'tolower' || detail === 'toupper' || detail === 'trim') {
    return { filter: comparison('eq', { kind: 'call', function: detail, arguments: [path(name)] }, 'a') }
  }
  if (detail === 'not')
    return { filter: { kind: 'unary', operator: 'not', operand: comparison('eq', path(name), 'a') } }
  if (detail !== 'and' && detail !== 'or') return undefined
  const [left, right] = [comparison('eq', path(name), 'a'), comparison('eq', path(name), 'b')]
  return { filter: { kind: 'binary', operator: detail, left, right } }
}

/** A lambda over a collection of strings, or of complex values with a string member. */
function lambda(site: Site, session: Session): QueryOptions | undefined {
  const rows = session.snapshot(site)?.rows ?? []
  // A service may refuse properties that the interface does not name. Rows show which ones it has.
  const isShown = ({ name }: Property): boolean => rows.some(row => Object.hasOwn(row, name))
  const rank = (property: Property): number => (isShown(property) ? 0 : isAssumed(property) ? 2 : 1)
  const properties = [...(site.type?.properties ?? [])].sort((a, b) => rank(a) - rank(b))
  for (const { name, collection, type: of } of properties) {
    if (!collection) continue
    const member = of.kind === 'complexType' ? leafText(of) : primitiveOf(of) === 'String' ? [] : undefined
    if (member === undefined) continue
    const inner: Expression = {
      kind: 'path',
      root: { kind: 'variable', name: 'x' },
      segments: member.map(each => ({ kind: 'property', name: each })),
    }
    const predicate = comparison('eq', inner, guid)
    return { filter: { kind: 'lambda', operator: 'any', collection: path(name), variable: 'x', predicate } }
  }
  return undefined
}

/** A literal that can also be compared with a Guid. */
const guid = '00000000-0000-4000-8000-000000000000'

type Complex = Extract<NonNullable<Site['type']>['properties'][number]['type'], { kind: 'complexType' }>

/** The path to a string, or else a Guid, inside a complex value. */
function leafText(type: Complex, depth = 0): readonly string[] | undefined {
  const single = type.properties.filter(({ collection }) => !collection)
  for (const typeName of ['String', 'Guid'] as const) {
    const found = single.find(property => primitiveOf(property.type) === typeName)
    if (found !== undefined) return [found.name]
  }
  for (const { name, type: of } of single) {
    const below = of.kind === 'complexType' && depth < 2 ? leafText(of, depth + 1) : undefined
    if (below !== undefined) return [name, ...below]
  }
  return undefined
}

function searchOf({ search }: QueryCapabilities, { type }: Site): QueryOptions | undefined {
  if (search.support === 'none') return undefined
  if (search.syntax === 'words') return { search: { kind: 'term', text: 'a' } }
  const property = search.properties[0] ?? type?.properties.find(each => each.search !== 'none')?.name
  if (property === undefined) return undefined
  const phrase: SearchExpression = { kind: 'phrase', text: `${property}:a` }
  return { search: phrase }
}

function comparison(operator: (typeof comparisons)[number], left: Expression, value: string): Expression {
  return { kind: 'binary', operator, left, right: text(value) }
}

function text(value: string): Expression {
  return { kind: 'literal', type: 'String', value }
}

function path(name: string): Extract<Expression, { kind: 'path' }> {
  return { kind: 'path', segments: [{ kind: 'property', name }] }
}

/**
 * Whether the message of an error says what is missing: it names the header or its value, or has a word of the declared
 * message, whatever its ending. The code of the error does not count.
 */
export function explainsCondition(response: TestResponse, { header, otherwise }: Condition): boolean {
  const message = errorBodyOf(response)?.message.toLowerCase() ?? ''
  if (message.includes(header.name.toLowerCase()) || message.includes(header.value.toLowerCase())) return true
  const words = otherwise.message.toLowerCase().match(/\p{L}+/gu) ?? []
  return words.some(word => word.length >= significantLength && message.includes(word.slice(0, stemLength)))
}

/** Endings differ: query, queries. */
const stemLength = 4

/** Shorter words are not compared. */
const significantLength = 5

/**
 * Whether an error says that a header is missing, in any wording: it names the header or its value, or has two words of the
 * declared message.
 */
export function mentionsCondition(response: TestResponse, { header, otherwise }: Condition): boolean {
  const error = errorBodyOf(response)
  if (error === undefined) return false
  const message = `${error.code} ${error.message}`.toLowerCase()
  if (message.includes(header.name.toLowerCase()) || message.includes(header.value.toLowerCase())) return true
  const words = new Set(otherwise.message.toLowerCase().match(/\p{L}+/gu) ?? [])
  return [...words].filter(word => word.length >= significantLength && message.includes(word)).length >= 2
}
