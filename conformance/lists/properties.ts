import type { OrderbyItem, PathExpression, SelectItem } from '../../runtime/query/index.js'
import type {
  EntityType,
  NavigationProperty,
  PrimitiveTypeName,
  Property,
  Service,
  StructuredType,
  ValueType,
} from '../../spec/language/index.js'
import { permittedValues } from '../choices/choices.js'
import { isRow, type Row } from '../json.js'
import type { Session } from '../session/session.js'

/** A property with a single value that is no object, of the item itself or of a complex value in it. */
export interface LeafProperty {
  readonly path: readonly string[]
  readonly property: Property
  /** As in a type table: `Edm.String`, or the name of an enumeration. */
  readonly typeName: string
}

const maxDepth = 3

/** The leaves of a type, its own first, then those inside complex values. */
export function leafProperties(type: StructuredType, prefix: readonly string[] = []): readonly LeafProperty[] {
  const here: LeafProperty[] = []
  const below: LeafProperty[] = []
  for (const property of type.properties) {
    if (property.collection) continue
    const path = [...prefix, property.name]
    const { type: of } = property
    if (of.kind === 'primitive') here.push({ path, property, typeName: `Edm.${of.name}` })
    else if (of.kind === 'typeDefinition') here.push({ path, property, typeName: `Edm.${of.underlying}` })
    else if (of.kind === 'enumType') here.push({ path, property, typeName: of.name })
    else if (of.kind === 'complexType' && path.length < maxDepth) below.push(...leafProperties(of, path))
  }
  return [...here, ...below]
}

/**
 * The value at a path. `undefined`: the row does not show it, so that it is not known; a complex value that is null makes
 * what is in it null.
 */
export function leafValue(row: Row, path: readonly string[]): unknown {
  let value: unknown = row
  for (const name of path) {
    if (value === null) return null
    if (!isRow(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}

/** What items read as a type may have: its properties and relations, and those of the types derived from it. */
interface DeclaredProperties {
  readonly properties: ReadonlyMap<string, Property>
  readonly relations: ReadonlyMap<string, NavigationProperty>
}

const declaredCache = new WeakMap<EntityType, DeclaredProperties>()

/** By name; an item of a list may be of any derived type. */
export function declaredProperties(type: EntityType, service: Service): DeclaredProperties {
  const found = declaredCache.get(type)
  if (found !== undefined) return found
  const types = service.entityTypes.filter(each => isKindOf(each, type))
  const declared = {
    properties: new Map(types.flatMap(({ properties }) => properties.map(each => [each.name, each] as const))),
    relations: new Map(types.flatMap(({ navigation }) => navigation.map(each => [each.name, each] as const))),
  }
  declaredCache.set(type, declared)
  return declared
}

/** Whether a type is another one or derives from it. */
export function isKindOf(type: EntityType, base: EntityType): boolean {
  for (let each: EntityType | undefined = type; each !== undefined; each = each.base) if (each === base) return true
  return false
}

/** The tree of a path of property names. */
export function propertyPath(path: readonly string[]): PathExpression {
  return { kind: 'path', segments: path.map(name => ({ kind: 'property', name })) }
}

/** One key of `$orderby`. */
export function orderbyItem(path: readonly string[], direction: OrderbyItem['direction']): OrderbyItem {
  return { expression: propertyPath(path), direction }
}

/** The names that a path goes through; absent when it is more than names. */
export function pathNames({ expression }: Pick<OrderbyItem, 'expression'>): readonly string[] | undefined {
  if (expression.kind !== 'path' || expression.root !== undefined) return undefined
  const names = expression.segments.flatMap(segment => (segment.kind === 'property' ? [segment.name] : []))
  return names.length === expression.segments.length ? names : undefined
}

/** `$select` of these properties. */
export function selectItems(names: readonly string[]): readonly SelectItem[] {
  return names.map(name => ({ path: [name] }))
}

/**
 * The declared properties that a row shows though `$select` leaves them out. Null stands for absent where that is legal,
 * and the key may be shown where that is; annotations and what is not declared belong to nobody's selection.
 *
 * @param selected the first names of the paths selected
 */
export function unselectedProperties(
  row: Row,
  selected: ReadonlySet<string>,
  type: EntityType,
  session: Pick<Session, 'service' | 'choices'>,
): readonly string[] {
  if (selected.has('*')) return []
  const mayBeNull = permittedValues(session, 'unselected', 'absent').includes('null')
  const mayShowKey = permittedValues(session, 'unselectedKey', 'returned').includes('returned')
  const { properties } = declaredProperties(type, session.service)
  const keys = new Set(type.key.map(({ name }) => name))
  return Object.keys(row).filter(name => {
    if (selected.has(name) || (mayShowKey && keys.has(name))) return false
    if (row[name] === undefined || (row[name] === null && mayBeNull)) return false
    const property = properties.get(name)
    return property !== undefined && property.returned !== 'always'
  })
}

/** The primitive type that values of a type are; absent for enumerations and structured types. */
export function primitiveOf(type: ValueType): PrimitiveTypeName | undefined {
  if (type.kind === 'primitive') return type.name
  return type.kind === 'typeDefinition' ? type.underlying : undefined
}
