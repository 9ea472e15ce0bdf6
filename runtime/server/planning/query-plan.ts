import type { Condition, Literal, QueryOptions } from '../../query/index.js'
import type { Metadata } from '../http/content-negotiation.js'
import type { Projection } from '../response/projection.js'

/** A query string, read and checked against its endpoint; kept, because the same queries come again and again. */
export interface QueryPlan {
  /** With `$top` brought down to its maximum where the service clamps it. */
  readonly options: QueryOptions
  readonly template: QueryTemplate
  /** Headers that this query needs. */
  readonly conditions: readonly Condition[]
  readonly project: Projection
  /** What the context URL lists, `(id,displayName)`. */
  readonly selection: string
  /** The options as sent, without those that say where a page begins: what next links repeat. */
  readonly nextLinkOptions: string
  /** What `$format` asks for, before `Accept` is looked at. */
  readonly format: Metadata | undefined
  /** Options that no system option is: a function's parameters may come this way. */
  readonly custom: readonly (readonly [name: string, value: string])[]
}

/**
 * What a query has in common with others that differ in their moments and in where their page begins: a handler that
 * prepares statements prepares them once for all of these.
 */
export interface QueryTemplate {
  /** The options of the first query that had this form: one object for all of them. */
  readonly options: QueryOptions
  /** Literals of `options`, and what this query has in their place. */
  readonly replacements: ReadonlyMap<Literal, Literal>
}

/** Of a query that stands for itself alone. */
export const noReplacements: ReadonlyMap<Literal, Literal> = new Map<Literal, Literal>()

/** Options that say where a page begins: a next link has its own. */
const pagePositionOptions = new Set(['skip', 'skiptoken', 'deltatoken'])

/** A raw query string without the options that say where a page begins; all else is repeated as it was sent. */
export function nextLinkOptions(query: string): string {
  return query
    .split('&')
    .filter(part => part !== '' && !pagePositionOptions.has(optionName(part)))
    .join('&')
}

/** Option names may be encoded, in any letter case, and without `$`. */
function optionName(part: string): string {
  const sign = part.indexOf('=')
  const name = sign < 0 ? part : part.slice(0, sign)
  if (!name.includes('%')) return (name.startsWith('$') ? name.slice(1) : name).toLowerCase()
  return name
    .replace(/^(?:\$|%24)/, '')
    .replaceAll(/%[0-9a-f]{2}/gi, encoded => String.fromCharCode(Number.parseInt(encoded.slice(1), 16)))
    .replace(/^\$/, '')
    .toLowerCase()
}
