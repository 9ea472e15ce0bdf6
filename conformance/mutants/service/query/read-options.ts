import {
  parseQueryOptions,
  type QueryOptions,
  QuerySyntaxError,
  UnknownQueryOptionError,
} from '../../../../runtime/query/index.js'
import type { Refusal } from '../behaviour.js'
import type { Exchange } from '../exchange.js'

/** A query that was read, or why it was not. */
export type Reading =
  | { readonly kind: 'read'; readonly options: QueryOptions; readonly custom: ReadonlyMap<string, string> }
  | Refusal

/** Reads the query of a request. */
export function readOptions(exchange: Exchange): Reading {
  const { behaviour, service } = exchange
  const text = behaviour.readQuery(exchange.request.query, exchange)
  try {
    const { options, custom } = parseQueryOptions(withoutUnknown(text, exchange))
    return { kind: 'read', options, custom: new Map(custom) }
  } catch (error) {
    if (error instanceof UnknownQueryOptionError) {
      return { kind: 'refused', error: service.faults.unsupportedQueryOption, message: error.message }
    }
    if (!(error instanceof QuerySyntaxError)) throw error
    return behaviour.refuseMalformed(error.message, exchange) ?? { kind: 'read', options: {}, custom: new Map() }
  }
}

const known: ReadonlySet<string> = new Set([
  '$filter',
  '$orderby',
  '$select',
  '$expand',
  '$search',
  '$compute',
  '$top',
  '$skip',
  '$count',
  '$format',
  '$skiptoken',
  '$deltatoken',
])

/** Options that begin with `$` and are none, passed over where that is the service's choice. */
function withoutUnknown(query: string, { behaviour }: Exchange): string {
  if (behaviour.choices['unknownOption'] !== 'ignored') return query
  const isKnown = (part: string): boolean => {
    const name = part.slice(0, part.includes('=') ? part.indexOf('=') : undefined).replace(/^%24/i, '$')
    return !name.startsWith('$') || known.has(name.toLowerCase())
  }
  return query.split('&').filter(isKnown).join('&')
}
