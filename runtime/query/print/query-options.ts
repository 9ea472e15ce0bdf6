import type { QueryOptions } from '../ast.js'
import { PrintError } from '../print-error.js'
import { printOptions } from './options.js'
import { encodePercent } from './percent.js'
import { printAtTop } from './place.js'

/**
 * The query string of the options, percent-encoded and without `?`; empty when there are none. The options stand in the
 * order in which a service applies them, aliases last. A space becomes `%20`.
 *
 * @throws {PrintError} when no text stands for one of the options
 * @see OData 4.01 URL Conventions, 5
 */
export function printQueryOptions(options: QueryOptions): string {
  if (options.levels !== undefined) throw new PrintError('$levels can only stand within $expand.')
  return printAtTop(place =>
    printOptions(options, place)
      .map(([name, value]) => `${encodePercent(name)}=${encodeValue(name, value)}`)
      .join('&'),
  )
}

function encodeValue(name: string, value: string): string {
  if (value === '') throw new PrintError(`${name} has no value; leave the option out instead.`)
  return encodePercent(value)
}
