import type { QueryOptions, SelectItem } from '../../query/ast.js'
import type { PropertyInfo, StructuredTypeInfo } from '../../query/schema.js'
import type { ProjectionRules } from './projection-rules.js'
import { type Selection, selectionOf } from './selection.js'

/** A property that items are sent with. */
export interface ShownProperty {
  readonly name: string
  readonly info: PropertyInfo
  /** What is selected of its value; undefined or empty: all of it. */
  readonly below: readonly SelectItem[] | undefined
  /** Null stands in its place: it was not selected. */
  readonly isBlank: boolean
}

/**
 * The properties that items of a type are sent with, in their order.
 *
 * @see OData Protocol 4.01, 11.2.5.1 (System Query Option $select)
 */
export function shownProperties(
  { select }: Pick<QueryOptions, 'select'>,
  type: StructuredTypeInfo,
  rules: ProjectionRules,
): readonly ShownProperty[] {
  const selection = select === undefined ? undefined : selectionOf(select)
  return Object.entries(type.properties).flatMap(([name, info]): readonly ShownProperty[] => {
    const below = selection?.names.get(name)
    if (isShown(name, info, type, selection, rules)) return [{ name, info, below, isBlank: false }]
    const isBlank = selection !== undefined && rules.unselected === 'null' && info.nullable === true
    return isBlank ? [{ name, info, below, isBlank }] : []
  })
}

function isShown(
  name: string,
  info: PropertyInfo,
  type: StructuredTypeInfo,
  selection: Selection | undefined,
  rules: ProjectionRules,
): boolean {
  if (selection === undefined) return info.onSelect !== true
  if (selection.all || selection.names.has(name)) return true
  return info.always === true || (rules.keysAlways && type.key.includes(name))
}
