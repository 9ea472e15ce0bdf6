import type { PropertyInfo, QueryOptions, SelectItem, StructuredTypeInfo, TypeTable } from '../../query/index.js'
import type { ServiceTable } from '../service-table.js'

/** A property that items are sent with. */
export interface ReturnedProperty {
  readonly name: string
  readonly info: PropertyInfo
  /** What is selected of its value; undefined or empty: all of it. */
  readonly below: readonly SelectItem[] | undefined
  /** Null stands in its place: it was not selected. */
  readonly sentAsNull: boolean
}

/**
 * The properties that items of a type are sent with, in their order.
 *
 * @see OData Protocol 4.01, 11.2.5.1 (System Query Option $select)
 */
export function returnedProperties(
  { select }: Pick<QueryOptions, 'select'>,
  type: StructuredTypeInfo,
  rules: ProjectionRules,
): readonly ReturnedProperty[] {
  const selection = select === undefined ? undefined : selectionOf(select)
  return Object.entries(type.properties).flatMap(([name, info]): readonly ReturnedProperty[] => {
    const below = selection?.names.get(name)
    if (isReturned(name, info, type, selection, rules)) return [{ name, info, below, sentAsNull: false }]
    const isBlank = selection !== undefined && rules.unselected === 'null' && info.nullable === true
    return isBlank ? [{ name, info, below, sentAsNull: isBlank }] : []
  })
}

function isReturned(
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

/** What a `$select` names. */
export interface Selection {
  /** `*`. */
  readonly all: boolean
  /** First name of each path -> what is selected below it; nothing: all of it. */
  readonly names: ReadonlyMap<string, readonly SelectItem[]>
}

/** Gathers the items of a `$select` by their first names. A cast in front of a name selects that name where there is one. */
export function selectionOf(items: readonly SelectItem[]): Selection {
  const names = new Map<string, readonly SelectItem[]>()
  let all = false
  for (const item of items) {
    const [first, ...rest] = item.path[0]?.includes('.') ? item.path.slice(1) : item.path
    if (first === undefined) continue
    if (first === '*') all = true
    const below = rest.length > 0 ? [{ ...item, path: rest }] : (item.options?.select ?? [])
    const known = names.get(first)
    names.set(first, below.length === 0 || known?.length === 0 ? [] : [...(known ?? []), ...below])
  }
  return { all, names }
}

/** What is sent where the interface leaves it open, and the service has chosen. */
export interface ProjectionRules {
  /** Whether a property that a row lacks is sent as null, as an item is shown whole, or left out, as among changes. */
  readonly missing: 'null' | 'absent'
  /** What a property is that `$select` leaves out. */
  readonly unselected: 'null' | 'absent'
  /** Whether keys are sent though `$select` leaves them out. */
  readonly keysAlways: boolean
  /** What an expanded single relation is that leads to nothing. */
  readonly emptyRelation: 'null' | 'absent'
}

/** The rules of a service. Changes leave out what their rows lack, and always tell whose they are. */
export function projectionRules(choices: ServiceTable['choices'], changes: boolean): ProjectionRules {
  return {
    missing: changes ? 'absent' : 'null',
    unselected: choices['unselected'] === 'null' ? 'null' : 'absent',
    keysAlways: changes || choices['unselectedKey'] === 'returned',
    emptyRelation: choices['emptyRelation'] === 'absent' ? 'absent' : 'null',
  }
}

/** The entity or complex type of a name; undefined for anything else. */
export function structuredType(types: TypeTable, name: string): StructuredTypeInfo | undefined {
  const type = Object.hasOwn(types, name) ? types[name] : undefined
  return type?.kind === 'entityType' || type?.kind === 'complexType' ? type : undefined
}
