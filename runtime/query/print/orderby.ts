import type { OrderbyItem } from '../ast.js'
import { printExpression } from './expression.js'
import { listed } from './listed.js'
import { type Place, printAtTop } from './place.js'

/** An `$orderby`, not percent-encoded; `asc` is left out. @throws {PrintError} @see OData 4.01 URL Conventions, 5.1.5 */
export function printOrderby(items: readonly OrderbyItem[]): string {
  return printAtTop(place => printOrderbyAt(items, place))
}

export function printOrderbyAt(items: readonly OrderbyItem[], place: Place): string {
  return listed('$orderby', items, ({ expression, direction }) => {
    const key = printExpression(expression, place)
    return direction === 'desc' ? `${key} desc` : key
  })
}
