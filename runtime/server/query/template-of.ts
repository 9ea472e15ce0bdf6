import type { Literal } from '../../query/ast.js'
import type { MovingParts } from './moving-parts.js'
import type { QueryPlan } from './query-plan.js'
import { ownLiterals } from './query-template.js'
import { repeatedOptions } from './repeated-options.js'
import { withLiterals } from './with-literals.js'

/** Plans a query of a form that was planned before. Undefined: it is of that form by its look only. */
export type TemplatePlanner = (query: string, parts: MovingParts) => QueryPlan | undefined

/**
 * Prepares the planning of queries of the form of one that was parsed and checked. Undefined where what moves in its text
 * cannot be found again in its tree, each part just once: a moment within a quoted string is none.
 */
export function templateOf(plan: QueryPlan, parts: MovingParts): TemplatePlanner | undefined {
  const { options } = plan
  if (options.skiptoken !== parts.skiptoken) return undefined
  const places = new Map<Literal, number>()
  for (const literal of momentsIn(options)) places.set(literal, parts.moments.indexOf(literal.value))
  const found = new Set(places.values())
  if (found.has(-1) || found.size !== places.size || found.size !== parts.moments.length) return undefined
  const others = new Map(Array.from(places.keys(), literal => [literal, { ...literal }]))
  if (momentsIn(withLiterals(options, others)).some(literal => places.has(literal))) return undefined
  return (query, { moments, skiptoken }) => {
    if (moments.length !== parts.moments.length || (skiptoken === undefined) !== (parts.skiptoken === undefined)) {
      return undefined
    }
    const literals = new Map<Literal, Literal>()
    for (const [literal, place] of places) {
      const value = moments[place]
      if (value !== undefined) literals.set(literal, { kind: 'literal', type: 'DateTimeOffset', value })
    }
    const moved = literals.size === 0 ? options : withLiterals(options, literals)
    return {
      ...plan,
      options: skiptoken === undefined ? moved : { ...moved, skiptoken },
      template: { options, literals: literals.size === 0 ? ownLiterals : literals },
      repeated: repeatedOptions(query),
    }
  }
}

type Moment = Extract<Literal, { readonly value: string }>

/** The moments of a tree; what is no tree has none. */
function momentsIn(tree: unknown): readonly Moment[] {
  if (typeof tree !== 'object' || tree === null) return []
  return isMoment(tree) ? [tree] : Object.values(tree).flatMap(momentsIn)
}

function isMoment(node: object): node is Moment {
  return 'kind' in node && node.kind === 'literal' && 'type' in node && node.type === 'DateTimeOffset'
}
