import type { SelectItem } from '../ast.js'
import { isIdentifier, isQualifiedName } from '../lexical/identifier.js'
import { selectOptions } from '../parse/nested-option-names.js'
import { PrintError } from '../print-error.js'
import { listed } from './listed.js'
import { printNestedOptions } from './nested-options.js'
import { type Place, printAtTop } from './place.js'

/** A `$select`, not percent-encoded. @throws {PrintError} @see OData 4.01 URL Conventions, 5.1.4 */
export function printSelect(items: readonly SelectItem[]): string {
  return printAtTop(place => printSelectAt(items, place))
}

export function printSelectAt(items: readonly SelectItem[], place: Place): string {
  return listed('$select', items, item => printSelectItem(item, place))
}

function printSelectItem({ path, options }: SelectItem, place: Place): string {
  const isStar = path.length === 1 && path[0] === '*'
  const last = path.at(-1)
  const allowed =
    isStar || (last !== undefined && path.every((name, index) => isSelectName(name, index === path.length - 1)))
  if (!allowed) throw new PrintError(`${JSON.stringify(path)} is no path of $select.`)
  const mayHaveOptions = !isStar && !last?.endsWith(')')
  if (options !== undefined && !mayHaveOptions) throw new PrintError(`${path.join('/')} takes no options in $select.`)
  return `${path.join('/')}${options === undefined ? '' : requireOptions(printNestedOptions(options, selectOptions, place), path)}`
}

/** Empty parentheses are no options. */
export function requireOptions(options: string, path: readonly string[]): string {
  if (options === '') throw new PrintError(`The options of ${path.join('/')} are empty; leave them out instead.`)
  return options
}

function isSelectName(name: string, isLast: boolean): boolean {
  if (isIdentifier(name) || isQualifiedName(name) || isAnnotationName(name)) return true
  if (name.endsWith('.*')) return isNameOrQualified(name.slice(0, -2))
  const open = name.indexOf('(')
  const overload = open > 0 && name.endsWith(')') && isNameOrQualified(name.slice(0, open))
  return (
    isLast &&
    overload &&
    name
      .slice(open + 1, -1)
      .split(',')
      .every(isIdentifier)
  )
}

function isNameOrQualified(name: string): boolean {
  return isIdentifier(name) || isQualifiedName(name)
}

/** Whether a name is `@ns.term`, perhaps with `#qualifier`. */
export function isAnnotationName(name: string): boolean {
  if (!name.startsWith('@')) return false
  const hash = name.indexOf('#')
  const term = hash === -1 ? name.slice(1) : name.slice(1, hash)
  return isNameOrQualified(term) && (hash === -1 || isIdentifier(name.slice(hash + 1)))
}
