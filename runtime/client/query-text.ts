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
): string =>
  Object.entries({
    ...query,
    filter: query.filter?.(filterBuilder(formats))?.text,
    expand: Object.entries(query.expand ?? {})
      .filter(([, options]) => options)
      .map(([name, options]) => {
        const nested = queryText(Object(options), formatsAt(formats, name), ';', String)
        return nested ? `${name}(${nested})` : name
      }),
    search: query.search && searchText(query.search),
  })
    // An empty list says nothing, and an option without text would be refused.
    .filter(([, value]) => `${value ?? ''}`)
    .map(([name, value]) => `$${name}=${encode(`${value}`)}`)
    .join(separator)
