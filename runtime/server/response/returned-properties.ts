import type { PropertyInfo, QueryOptions, SelectItem, StructuredTypeInfo, TypeTable } from '../../query/index.js'
import { type ServiceTable, structuredType } from '../service-table.js'

export interface ReturnedProperty {
  readonly name: string
  readonly info: PropertyInfo
  /** The selected parts of its value. Undefined or empty: everything. */
  readonly below: readonly SelectItem[] | undefined
  /** The property is not selected, and the service returns null for such properties. */
  readonly sentAsNull: boolean
}

/**
 * The properties of a type in a response, in the declared order.
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
    // A stream has a URL of its own. @see OData JSON Format 4.01, 9 (stream property)
    if (info.type === 'Edm.Stream') return []
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

/** The items of a `$select` by first name. */
export interface Selection {
  /** `*`. */
  readonly all: boolean
  /** First name of each path -> the items below it. Empty: everything. */
  readonly names: ReadonlyMap<string, readonly SelectItem[]>
}

/** Groups the items of a `$select` by their first names. A type cast before a name is ignored. */
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

/** The service's choices for responses where the interface leaves them open. */
export interface ProjectionRules {
  /** A property that a row lacks: null, or absent as in a delta response. */
  readonly missing: 'null' | 'absent'
  /** A property that is not selected. */
  readonly unselected: 'null' | 'absent'
  /** Whether the response includes keys that are not selected. */
  readonly keysAlways: boolean
  /** An expanded single-valued navigation property without a related item. */
  readonly emptyRelation: 'null' | 'absent'
  /** The form of Int64 and Decimal. Default: JSON numbers with all digits. */
  readonly numbers?: 'string'
}

/** The rules of a service. A delta response omits properties that a row lacks and always includes the keys. */
export function projectionRules(choices: ServiceTable['choices'], changes: boolean): ProjectionRules {
  return {
    missing: changes ? 'absent' : 'null',
    unselected: choices['unselected'] === 'null' ? 'null' : 'absent',
    keysAlways: changes || choices['unselectedKey'] === 'returned',
    emptyRelation: choices['emptyRelation'] === 'absent' ? 'absent' : 'null',
  }
}

/** Whether a query leaves out the key of an item, at any depth. */
export function omitsKeys(
  query: Pick<QueryOptions, 'select' | 'expand'>,
  typeName: string,
  types: TypeTable,
  rules: ProjectionRules,
): boolean {
  const type = structuredType(types, typeName)
  if (type === undefined) return false
  const returned = new Set(returnedProperties(query, type, rules).flatMap(each => (each.sentAsNull ? [] : [each.name])))
  if (type.key.some(name => !returned.has(name))) return true
  return (query.expand ?? []).some(({ path, options = {} }) => {
    const name = path.at(-1)
    const targets = Object.entries(type.navigation).filter(([property]) => name === '*' || name === property)
    return targets.some(([, info]) => omitsKeys(options, info.type, types, rules))
  })
}

/** An item as a handler returned it. */
export type GivenRow = Readonly<Record<string, unknown>>

export type SentRow = Record<string, unknown>

/** Writes part of an item to the response. */
export type RowWriter = (row: GivenRow, sent: SentRow) => void

export function isRow(value: unknown): value is GivenRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads a member. A member of `Object.prototype` counts as absent, even if a property is called `constructor`. */
export function memberReader(name: string): (row: GivenRow) => unknown {
  return name in Object.prototype ? row => (Object.hasOwn(row, name) ? row[name] : undefined) : row => row[name]
}

/** Writes a member. `__proto__` becomes a normal member, not the prototype. */
export function memberWriter(name: string): (sent: SentRow, value: unknown) => void {
  if (name !== '__proto__') {
    return (sent, value) => {
      sent[name] = value
    }
  }
  return (sent, value) => {
    Object.defineProperty(sent, name, { value, enumerable: true })
  }
}

/** The entity tag of an item that a handler returned. @see RFC 9110, 8.8.3 */
export function entityTagOf(row: unknown): string | undefined {
  const tag = isRow(row) ? row['@odata.etag'] : undefined
  return typeof tag === 'string' ? tag : undefined
}
