import type { OrderbyItem, SelectItem } from '../../runtime/query/index.js'
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
import { pathTo } from '../probes/expressions.js'
import type { Session } from '../session/session.js'

/** A single-valued property that is not complex, of the item or of a complex value in it. */
export interface LeafProperty {
  readonly path: readonly string[]
  readonly property: Property
  /** As in the type table: `Edm.String`, or the name of an enumeration. */
  readonly typeName: string
}

const maxDepth = 3

/** The leaf properties of a type, its own first, then those inside complex values. */
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
 * The value at a path. `undefined` if the row omits it, so that it is unknown. Everything inside a null complex value
 * is null.
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

/** The properties that items of a type may have, including those of derived types. */
interface DeclaredProperties {
  readonly properties: ReadonlyMap<string, Property>
  readonly relations: ReadonlyMap<string, NavigationProperty>
}

const declaredCache = new WeakMap<EntityType, DeclaredProperties>()

/** By name. An item of a list may be of any derived type. */
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

/** One key of `$orderby`. */
export function orderbyItem(path: readonly string[], direction: OrderbyItem['direction']): OrderbyItem {
  return { expression: pathTo(path), direction }
}

/** The names in a path; absent if the path has other segments. */
export function pathNames({ expression }: Pick<OrderbyItem, 'expression'>): readonly string[] | undefined {
  if (expression.kind !== 'path' || expression.root !== undefined) return undefined
  const names = expression.segments.flatMap(segment => (segment.kind === 'property' ? [segment.name] : []))
  return names.length === expression.segments.length ? names : undefined
}

/** `$select` of these properties. */
export function selectItems(names: readonly string[]): readonly SelectItem[] {
  return names.map(name => ({ path: [name] }))
}

/** The first property in each path of `$select`, whatever type the path casts the item to. */
export function selectedNames(select: readonly SelectItem[]): ReadonlySet<string> {
  return new Set(select.map(({ path }) => path.find(step => !step.includes('.')) ?? ''))
}

/**
 * The declared properties that a row has although `$select` omits them. Null counts as absent, and the key may be
 * present, if that is legal. Annotations and undeclared properties are ignored.
 *
 * @param selected the first names of the selected paths
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

/** The primitive type of a type's values; absent for enumerations and structured types. */
export function primitiveOf(type: ValueType): PrimitiveTypeName | undefined {
  if (type.kind === 'primitive') return type.name
  return type.kind === 'typeDefinition' ? type.underlying : undefined
}

/**
 * Whether null may stand for a value that was not requested, although the request has no `$select`: the service returns
 * some properties only when they are selected, and null for the others.
 */
export function mayHideValues(session: Pick<Session, 'service' | 'choices'>): boolean {
  const isNull = permittedValues(session, 'unselected', 'absent').includes('null')
  return isNull && !permittedValues(session, 'defaultProjection', 'all').isOnly('all')
}

/**
 * Whether an item of a derived type must name its type: a clause of the spec says so, or the spec has no clauses, and the
 * sentences of the standard hold.
 *
 * @see OData 4.01 JSON Format, 4.6.3
 */
export function mustNameTypes({ clauses }: Pick<Service, 'clauses'>): boolean {
  return clauses.length === 0 || clauses.some(({ aspects }) => aspects.includes('item.type'))
}

/** The types that derive from another one, without abstract ones. */
export function derivedTypes(base: EntityType, { entityTypes }: Pick<Service, 'entityTypes'>): readonly EntityType[] {
  return entityTypes.filter(type => type !== base && !type.abstract && isKindOf(type, base))
}

/** The qualified name of the type that an item names in `@odata.type`, or in `@type`, the short form of OData 4.01. */
export function namedType(row: Row): string | undefined {
  for (const annotation of ['@odata.type', '@type']) {
    const name = Object.hasOwn(row, annotation) ? row[annotation] : undefined
    if (typeof name === 'string') return name.slice(name.lastIndexOf('#') + 1)
  }
  return undefined
}

/** Whether an item names a type. A single item may do so in its context URL, such as `$metadata#animals/zoo.dog/$entity`. */
export function namesType(row: Row, { qualifiedName }: Pick<EntityType, 'qualifiedName'>): boolean {
  const name = namedType(row)
  if (name !== undefined) return name === qualifiedName
  const context = row['@odata.context'] ?? row['@context']
  return (
    typeof context === 'string' &&
    context
      .slice(context.lastIndexOf('#') + 1)
      .split('/')
      .includes(qualifiedName)
  )
}

/**
 * The type of an item of a collection. Undefined if the item names none and need not, or names an unknown one.
 *
 * @param declared the type of the collection
 */
export function typeOfItem(row: Row, declared: EntityType, service: Service): EntityType | undefined {
  const name = namedType(row)
  if (name !== undefined) return service.entityTypes.find(({ qualifiedName }) => qualifiedName === name)
  return mustNameTypes(service) && !declared.abstract ? declared : undefined
}
