import { type ParsedQuery, parseQueryOptions } from '../../query/parse/query-options.js'
import { QuerySyntaxError } from '../../query/query-syntax-error.js'
import { UnknownQueryOptionError } from '../../query/unknown-query-option-error.js'
import { RequestFault } from '../request-fault.js'

/** Parses a raw query string. Fails with `unsupportedQueryOption` for an option unknown here, else `malformedQueryOption`. */
export function parseQuery(query: string): ParsedQuery {
  try {
    return parseQueryOptions(query)
  } catch (error) {
    if (error instanceof UnknownQueryOptionError) {
      const reason = `The query option '${error.unknown}' is not known here.`
      throw new RequestFault('unsupportedQueryOption', {
        target: error.unknown,
        values: { option: error.unknown, reason },
      })
    }
    if (!(error instanceof QuerySyntaxError)) throw error
    const option = error.option ?? 'query string'
    throw new RequestFault('malformedQueryOption', { target: option, values: { option, reason: error.message } })
  }
}
