import type { Condition, Literal, QueryOptions, TypeTable } from '../../query/index.js'
import type { JsonFormat } from '../http/content-negotiation.js'
import type { Projection } from '../response/projection.js'
import type { AnyOfScopes } from './related-scopes.js'

/** A parsed and checked query. Plans are cached, because clients repeat queries. */
export interface QueryPlan {
  /** With `$top` clamped, if the service does so. */
  readonly options: QueryOptions
  readonly template: QueryTemplate
  /** Whether the response leaves out the key of an item, at any depth. */
  readonly omitsKeys: boolean
  /** The type of the rows that `$apply` makes. Undefined: the items of the collection. */
  readonly rows: { readonly types: TypeTable; readonly typeName: string } | undefined
  readonly conditions: readonly Condition[]
  /** What the related items of the query need, in addition to the scopes of the endpoint. */
  readonly scopes: readonly AnyOfScopes[]
  readonly project: Projection
  /** The same with Int64 and Decimal as strings, as `IEEE754Compatible` requests. Prepared on demand. */
  readonly projectStrings: () => Projection
  /** The select list of the context URL, `(id,displayName)`. */
  readonly selection: string
  /** The raw options for next links, without those that say where a page starts. */
  readonly nextLinkOptions: string
  /** The format that `$format` requests. It overrides `Accept`. */
  readonly format: JsonFormat | undefined
  /** Custom query options. They can hold the parameters of a function. */
  readonly custom: readonly (readonly [name: string, value: string])[]
}

/**
 * A query without its parameters. Queries that differ only in their timestamps and skip tokens share one template, so
 * that a handler can prepare its statements once for all of them.
 */
export interface QueryTemplate {
  /** The options of the first query with this template. The same object for all of them. */
  readonly options: QueryOptions
  /** Literals of `options` -> the literals of this query. */
  readonly replacements: ReadonlyMap<Literal, Literal>
}

/** The replacements of a query that shares its template with no other. */
export const noReplacements: ReadonlyMap<Literal, Literal> = new Map<Literal, Literal>()

/** Options that say where a page starts. A next link has its own. */
const pagePositionOptions = new Set(['skip', 'skiptoken', 'deltatoken'])

/** A raw query string without the options that say where a page starts. All other options stay unchanged. */
export function nextLinkOptions(query: string): string {
  return query
    .split('&')
    .filter(part => part !== '' && !pagePositionOptions.has(optionName(part)))
    .join('&')
}

/** Option names can be percent-encoded, in any letter case, and without `$`. */
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
