import type { Query } from './call-options.js'
import { filterBuilder, formatsAt } from './filter.js'
import type { LiteralFormat, LiteralFormats } from './literal.js'
import { searchText } from './search.js'

/**
 * The query options that were given, in the query language: each one's text encoded, all joined by `separator`.
 *
 * @see OData 4.01 URL Conventions, 5.1 (system query options)
 */
export const queryText = (
  query: Query,
  formats: LiteralFormat | LiteralFormats | undefined,
  separator: string,
  encode: (text: string) => string,
): string => {
  let all = ''
  for (const [name, given] of Object.entries(query)) {
    const value =
      name === 'filter'
        ? query.filter?.(filterBuilder(formats))?.text
        : name === 'expand'
          ? // A relation that is named is expanded, whatever its options: so the type of the result says.
            Object.entries(given ?? {}).map(([relation, options]) => {
              const nested = queryText(Object(options), formatsAt(formats, relation), ';', String)
              return nested ? `${relation}(${nested})` : relation
            })
          : name === 'search'
            ? query.search && searchText(query.search)
            : given
    const text = `${value ?? ''}`
    // An empty list says nothing, and an option without text would be refused.
    if (text) all += `${all && separator}$${name}=${encode(text)}`
  }
  return all
}
