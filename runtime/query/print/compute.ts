import type { ComputeItem } from '../ast.js'
import { printExpression } from './expression.js'
import { listed } from './listed.js'
import { printIdentifier } from './names.js'
import { type Place, printAtTop } from './place.js'

/** A `$compute`, not percent-encoded. @throws {PrintError} @see OData 4.01 URL Conventions, 5.1.10 */
export function printCompute(items: readonly ComputeItem[]): string {
  return printAtTop(place => printComputeAt(items, place))
}

export function printComputeAt(items: readonly ComputeItem[], place: Place): string {
  return listed(
    '$compute',
    items,
    ({ expression, alias }) => `${printExpression(expression, place)} as ${printIdentifier(alias)}`,
  )
}
