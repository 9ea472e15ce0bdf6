import type { Expression } from '../ast.js'
import { childExpressions } from './child-expressions.js'

type Aliases = Readonly<Record<string, Expression>>

/** Chains of aliases longer than this count as infinitely large. */
const longestChain = 100

/**
 * How many nodes an expression has once each alias is replaced by its value. A few aliases that use each other twice make
 * a query of a billion nodes; this tells before anything walks it. An alias inside its own value counts once.
 */
export function expandedSize(expression: Expression, aliases: Aliases, known: Map<string, number> = new Map()): number {
  return sizeOf(expression, aliases, known, 0)
}

function sizeOf(expression: Expression, aliases: Aliases, known: Map<string, number>, chain: number): number {
  let size = 0
  const waiting = [expression]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    size++
    if (node.kind === 'alias') size += sizeOfAlias(node.name, aliases, known, chain)
    for (const child of childExpressions(node)) waiting.push(child)
  }
  return size
}

function sizeOfAlias(name: string, aliases: Aliases, known: Map<string, number>, chain: number): number {
  if (chain > longestChain) return Number.POSITIVE_INFINITY
  const size = known.get(name)
  if (size !== undefined) return size
  const value = Object.hasOwn(aliases, name) ? aliases[name] : undefined
  if (value === undefined) return 0
  known.set(name, 0)
  const computed = sizeOf(value, aliases, known, chain + 1)
  known.set(name, computed)
  return computed
}
