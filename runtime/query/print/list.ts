import type { ListExpression } from '../ast.js'
import { PrintError } from '../print-error.js'
import { printLiteral } from './literal.js'
import { type Place, within } from './place.js'

/** `('a','b')`, the right operand of `in`. */
export function printLiteralList({ items }: ListExpression, place: Place): string {
  within(place)
  const literals = items.map(item => {
    if (item.kind === 'literal') return printLiteral(item)
    throw new PrintError(
      'A list in parentheses holds literals only; a list of the form `json` may hold any expressions.',
    )
  })
  return `(${literals.join(',')})`
}
