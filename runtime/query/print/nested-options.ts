import type { QueryOptions } from '../ast.js'
import type { NestedOptionNames } from '../parse/nested-option-names.js'
import { PrintError } from '../print-error.js'
import { printOptions } from './options.js'
import { type Place, within } from './place.js'

/** `($filter=…;$top=5)`, or nothing when no option is given. @throws {PrintError} for one that is not allowed there */
export function printNestedOptions(options: QueryOptions, allowed: NestedOptionNames, place: Place): string {
  const parts = printOptions(options, { ...within(place), nested: true })
  for (const [name] of parts) {
    const isAllowed = name.startsWith('@') ? allowed.aliases : allowed.names.some(option => name === `$${option}`)
    if (!isAllowed) throw new PrintError(`${name} cannot stand in these parentheses.`)
  }
  return parts.length === 0 ? '' : `(${parts.map(([name, value]) => `${name}=${value}`).join(';')})`
}
