import type { ExpandItem } from '../ast.js'
import { isIdentifier, isQualifiedName } from '../lexical/identifier.js'
import {
  countOptions,
  expandOptions,
  type NestedOptionNames,
  referenceOptions,
  starOptions,
} from '../parse/nested-option-names.js'
import { PrintError } from '../print-error.js'
import { listed } from './listed.js'
import { printNestedOptions } from './nested-options.js'
import { type Place, printAtTop } from './place.js'
import { isAnnotationName, requireOptions } from './select.js'

/** An `$expand`, not percent-encoded. @throws {PrintError} @see OData 4.01 URL Conventions, 5.1.3 */
export function printExpand(items: readonly ExpandItem[]): string {
  return printAtTop(place => printExpandAt(items, place))
}

export function printExpandAt(items: readonly ExpandItem[], place: Place): string {
  return listed('$expand', items, item => printExpandItem(item, place))
}

function printExpandItem({ path, suffix, options }: ExpandItem, place: Place): string {
  const isValue = path.length === 1 && path[0] === '$value'
  const names = path.at(-1) === '*' ? path.slice(0, -1) : path
  const hasStar = names.length < path.length
  if (!isValue && (path.length === 0 || !names.every(isExpandName))) {
    throw new PrintError(`${JSON.stringify(path)} is no path of $expand.`)
  }
  if ((isValue && suffix !== undefined) || (hasStar && suffix === 'count')) {
    throw new PrintError(`${path.join('/')} cannot end with /$${suffix}.`)
  }
  const text = `${path.join('/')}${suffix === undefined ? '' : `/$${suffix}`}`
  if (options === undefined) return text
  if (isValue || (hasStar && suffix === 'ref')) throw new PrintError(`${text} takes no options in $expand.`)
  return `${text}${requireOptions(printNestedOptions(options, optionsOf(hasStar, suffix), place), path)}`
}

function isExpandName(name: string): boolean {
  return isIdentifier(name) || isQualifiedName(name) || isAnnotationName(name)
}

function optionsOf(hasStar: boolean, suffix: ExpandItem['suffix']): NestedOptionNames {
  if (hasStar) return starOptions
  return suffix === 'count' ? countOptions : suffix === 'ref' ? referenceOptions : expandOptions
}
