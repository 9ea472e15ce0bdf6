import { printQueryOptions, type QueryOptions } from '../../runtime/query/index.js'

/** The options as a person reads them, `$orderby=name desc&$top=3`; `no options` when there are none. */
export function queryText(options: QueryOptions): string {
  const text = printQueryOptions(options)
  return text === '' ? 'no options' : decodeURIComponent(text)
}
