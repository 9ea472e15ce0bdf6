import type { QueryOptions } from '../ast.js'
import { PrintError } from '../print-error.js'
import { printComputeAt } from './compute.js'
import { printExpandAt } from './expand.js'
import { printExpression } from './expression.js'
import { printIdentifier } from './names.js'
import { printOrderbyAt } from './orderby.js'
import type { Place } from './place.js'
import { printSearchAt } from './search.js'
import { printSelectAt } from './select.js'

/**
 * The options by name and text, in the order in which a service applies them; those that shape the result come last.
 *
 * @see OData 4.01 Protocol, 11.2.1
 */
export function printOptions(options: QueryOptions, place: Place): readonly (readonly [name: string, value: string])[] {
  const { compute, search, filter, count, orderby, skip, top, expand, select, levels, format, skiptoken, deltatoken } =
    options
  const parts: (readonly [string, string | undefined])[] = [
    ['$compute', compute && printComputeAt(compute, place)],
    ['$search', search && printSearchAt(search, place)],
    ['$filter', filter && printExpression(filter, place)],
    ['$count', count === undefined ? undefined : String(count)],
    ['$orderby', orderby && printOrderbyAt(orderby, place)],
    ['$skip', skip === undefined ? undefined : printInteger('$skip', skip, 0)],
    ['$top', top === undefined ? undefined : printInteger('$top', top, 0)],
    ['$expand', expand && printExpandAt(expand, place)],
    ['$select', select && printSelectAt(select, place)],
    ['$levels', levels === undefined || levels === 'max' ? levels : printInteger('$levels', levels, 1)],
    ['$format', format],
    ['$skiptoken', skiptoken],
    ['$deltatoken', deltatoken],
  ]
  for (const [name, value] of Object.entries(options.aliases ?? {})) {
    parts.push([`@${printIdentifier(name)}`, printExpression(value, place)])
  }
  return parts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

function printInteger(option: string, value: number, least: number): string {
  if (Number.isSafeInteger(value) && value >= least) return String(value)
  throw new PrintError(`${option} is ${value}, but has to be an integer from ${least} to ${Number.MAX_SAFE_INTEGER}.`)
}
