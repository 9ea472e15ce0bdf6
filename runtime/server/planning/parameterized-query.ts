import { dateTimeOffsetEnd, type Expression, type Literal, type QueryOptions } from '../../query/index.js'
import { nextLinkOptions, noReplacements, type QueryPlan } from './query-plan.js'

/** Plans a query of a form that was planned before. Undefined: it is of that form by its look only. */
export type TemplatePlanner = (query: string, parts: ParameterizedQuery) => QueryPlan | undefined

/**
 * Prepares the planning of queries of the form of one that was parsed and checked. Undefined where what moves in its text
 * cannot be found again in its tree, each part just once: a moment within a quoted string is none.
 */
export function createTemplatePlanner(plan: QueryPlan, parts: ParameterizedQuery): TemplatePlanner | undefined {
  const { options } = plan
  if (options.skiptoken !== parts.skiptoken) return undefined
  const places = new Map<Literal, number>()
  for (const literal of timestampLiterals(options)) places.set(literal, parts.timestamps.indexOf(literal.value))
  const found = new Set(places.values())
  if (found.has(-1) || found.size !== places.size || found.size !== parts.timestamps.length) return undefined
  const others = new Map(Array.from(places.keys(), literal => [literal, { ...literal }]))
  if (timestampLiterals(replaceLiterals(options, others)).some(literal => places.has(literal))) return undefined
  return (query, { timestamps: moments, skiptoken }) => {
    if (moments.length !== parts.timestamps.length || (skiptoken === undefined) !== (parts.skiptoken === undefined)) {
      return undefined
    }
    const literals = new Map<Literal, Literal>()
    for (const [literal, place] of places) {
      const value = moments[place]
      if (value !== undefined) literals.set(literal, { kind: 'literal', type: 'DateTimeOffset', value })
    }
    const moved = literals.size === 0 ? options : replaceLiterals(options, literals)
    return {
      ...plan,
      options: skiptoken === undefined ? moved : { ...moved, skiptoken },
      template: { options, replacements: literals.size === 0 ? noReplacements : literals },
      nextLinkOptions: nextLinkOptions(query),
    }
  }
}

type TimestampLiteral = Extract<Literal, { readonly value: string }>

/** The moments of a tree; what is no tree has none. */
function timestampLiterals(tree: unknown): readonly TimestampLiteral[] {
  if (typeof tree !== 'object' || tree === null) return []
  return isTimestampLiteral(tree) ? [tree] : Object.values(tree).flatMap(timestampLiterals)
}

function isTimestampLiteral(node: object): node is TimestampLiteral {
  return 'kind' in node && node.kind === 'literal' && 'type' in node && node.type === 'DateTimeOffset'
}

/** A query string taken apart into what stays when the same question is asked again later, and what moves. */
interface ParameterizedQuery {
  /** All that stays; the same for all queries of one form. */
  readonly form: string
  /** The moments, as literals have them, in the order of the text. */
  readonly timestamps: readonly string[]
  readonly skiptoken: string | undefined
}

/** A moment in UTC, or where the next page begins; neither can be told from other text before the query is parsed. */
const parameterPattern =
  /\d{4}-\d\d-\d\dT\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(?:\.\d{1,12})?)?Z|(?<=\$skiptoken=)[\w.~-]+$/gi

const colon = /%3a/gi

/** Takes a raw query string apart; undefined: nothing in it moves, or not in a way that can be told for sure. */
export function parameterizeQuery(query: string): ParameterizedQuery | undefined {
  if (query === '' || query.includes('\0')) return undefined
  const moments: string[] = []
  let skiptoken: string | undefined
  let form = ''
  let end = 0
  parameterPattern.lastIndex = 0
  for (let part = parameterPattern.exec(query); part !== null; part = parameterPattern.exec(query)) {
    const [text] = part
    form += `${query.slice(end, part.index)}\0`
    end = part.index + text.length
    const moment = text.replaceAll(colon, ':').toUpperCase()
    if (dateTimeOffsetEnd(moment, 0) === moment.length) moments.push(moment)
    else if (end === query.length && skiptoken === undefined) skiptoken = text
    else return undefined
  }
  if (end === 0) return undefined
  return { form: form + query.slice(end), timestamps: moments, skiptoken }
}

/** The options with other literals in `$filter` and in aliases; what none of them is in stays the same object. */
function replaceLiterals(options: QueryOptions, literals: ReadonlyMap<Literal, Literal>): QueryOptions {
  const { filter, aliases } = options
  const moved = filter === undefined ? options : { ...options, filter: replaceIn(filter, literals) }
  return aliases === undefined ? moved : { ...moved, aliases: replaceInAliases(aliases, literals) }
}

function replaceInAliases(
  aliases: NonNullable<QueryOptions['aliases']>,
  literals: ReadonlyMap<Literal, Literal>,
): NonNullable<QueryOptions['aliases']> {
  const result: Record<string, Expression> = Object.create(null)
  for (const [name, value] of Object.entries(aliases)) result[name] = replaceIn(value, literals)
  return result
}

/** Goes where literals are compared, combined and called with; not into paths. */
function replaceIn(tree: Expression, literals: ReadonlyMap<Literal, Literal>): Expression {
  const inside = (part: Expression): Expression => replaceIn(part, literals)
  switch (tree.kind) {
    case 'literal':
      return literals.get(tree) ?? tree
    case 'binary': {
      const left = inside(tree.left)
      const right = inside(tree.right)
      return left === tree.left && right === tree.right ? tree : { ...tree, left, right }
    }
    case 'unary':
      return { ...tree, operand: inside(tree.operand) }
    case 'call':
      return { ...tree, arguments: tree.arguments.map(inside) }
    case 'list':
      return { ...tree, items: tree.items.map(inside) }
    case 'lambda':
      return tree.predicate === undefined ? tree : { ...tree, predicate: inside(tree.predicate) }
    default:
      return tree
  }
}
