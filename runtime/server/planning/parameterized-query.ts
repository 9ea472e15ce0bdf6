import { dateTimeOffsetEnd, type Expression, type Literal, type QueryOptions } from '../../query/index.js'
import { nextLinkOptions, noReplacements, type QueryPlan } from './related-scopes.js'

// Clients often repeat a query with other timestamps or another skip token. Such a query is not parsed again: its
// parameters are inserted into the plan of the earlier one.

/** A query string, split into its parameters (timestamps, skip token) and its fixed part. */
interface ParameterizedQuery {
  /** The fixed part. It is the same for all queries that differ only in their parameters. */
  readonly form: string
  /** The timestamps as literals, in the order of the text. */
  readonly timestamps: readonly string[]
  readonly skiptoken: string | undefined
}

/** A timestamp in UTC or a skip token. A match can also be part of a string: only the parsed query shows that. */
const parameterPattern =
  /\d{4}-\d\d-\d\dT\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(?:\.\d{1,12})?)?Z|(?<=\$skiptoken=)[\w.~-]+$/gi

const colon = /%3a/gi

/** Extracts the parameters of a raw query string. Undefined: it has none, or the split is ambiguous. */
export function parameterizeQuery(query: string): ParameterizedQuery | undefined {
  if (query === '' || query.includes('\0')) return undefined
  const timestamps: string[] = []
  let skiptoken: string | undefined
  let form = ''
  let end = 0
  parameterPattern.lastIndex = 0
  for (let part = parameterPattern.exec(query); part !== null; part = parameterPattern.exec(query)) {
    const [text] = part
    form += `${query.slice(end, part.index)}\0`
    end = part.index + text.length
    const timestamp = text.replaceAll(colon, ':').toUpperCase()
    if (dateTimeOffsetEnd(timestamp, 0) === timestamp.length) timestamps.push(timestamp)
    else if (end === query.length && skiptoken === undefined) skiptoken = text
    else return undefined
  }
  if (end === 0) return undefined
  return { form: form + query.slice(end), timestamps, skiptoken }
}

/** Plans a query with the same fixed part as an earlier one. Undefined: the queries have different parameters. */
export type TemplatePlanner = (query: string, parts: ParameterizedQuery) => QueryPlan | undefined

/**
 * Creates the planner of queries with the same fixed part as a planned query. Undefined: the parameters in the text
 * don't correspond one to one to literals in the tree, for example because a timestamp is part of a string.
 */
export function createTemplatePlanner(plan: QueryPlan, parts: ParameterizedQuery): TemplatePlanner | undefined {
  const { options } = plan
  if (options.skiptoken !== parts.skiptoken) return undefined
  const positions = new Map<Literal, number>()
  for (const literal of timestampLiterals(options)) positions.set(literal, parts.timestamps.indexOf(literal.value))
  const found = new Set(positions.values())
  if (found.has(-1) || found.size !== positions.size || found.size !== parts.timestamps.length) return undefined
  const copies = new Map(Array.from(positions.keys(), literal => [literal, { ...literal }]))
  if (timestampLiterals(replaceLiterals(options, copies)).some(literal => positions.has(literal))) return undefined
  return (query, { timestamps, skiptoken }) => {
    if (
      timestamps.length !== parts.timestamps.length ||
      (skiptoken === undefined) !== (parts.skiptoken === undefined)
    ) {
      return undefined
    }
    const literals = new Map<Literal, Literal>()
    for (const [literal, position] of positions) {
      const value = timestamps[position]
      if (value !== undefined) literals.set(literal, { kind: 'literal', type: 'DateTimeOffset', value })
    }
    const replaced = literals.size === 0 ? options : replaceLiterals(options, literals)
    return {
      ...plan,
      options: skiptoken === undefined ? replaced : { ...replaced, skiptoken },
      template: { options, replacements: literals.size === 0 ? noReplacements : literals },
      nextLinkOptions: nextLinkOptions(query),
    }
  }
}

type TimestampLiteral = Extract<Literal, { readonly value: string }>

function timestampLiterals(tree: unknown): readonly TimestampLiteral[] {
  if (typeof tree !== 'object' || tree === null) return []
  return isTimestampLiteral(tree) ? [tree] : Object.values(tree).flatMap(timestampLiterals)
}

function isTimestampLiteral(node: object): node is TimestampLiteral {
  return 'kind' in node && node.kind === 'literal' && 'type' in node && node.type === 'DateTimeOffset'
}

/**
 * The options with literals in `$filter` and in aliases replaced. Options without such literals stay the same objects.
 */
function replaceLiterals(options: QueryOptions, literals: ReadonlyMap<Literal, Literal>): QueryOptions {
  const { filter, aliases } = options
  const replaced = filter === undefined ? options : { ...options, filter: replaceIn(filter, literals) }
  return aliases === undefined ? replaced : { ...replaced, aliases: replaceInAliases(aliases, literals) }
}

function replaceInAliases(
  aliases: NonNullable<QueryOptions['aliases']>,
  literals: ReadonlyMap<Literal, Literal>,
): NonNullable<QueryOptions['aliases']> {
  const result: Record<string, Expression> = Object.create(null)
  for (const [name, value] of Object.entries(aliases)) result[name] = replaceIn(value, literals)
  return result
}

/** Replaces literals that are operands, arguments and list items, not those in paths. */
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
