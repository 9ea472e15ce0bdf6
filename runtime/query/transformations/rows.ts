import type { ComputeItem, Transformation } from '../ast.js'
import { type BindingContext, contextAt, declaredType, type StaticType, untyped } from '../binding/context.js'
import { type PropertyInfo, structuredTypeInfo, type TypeTable } from '../type-table.js'

/**
 * What a transformation gives: items of the type that the request addresses, or rows, which have a type of their own in the
 * table of `context`.
 */
export interface TransformedRows {
  /** The context of expressions on the items or rows. */
  readonly context: BindingContext
  /** For items: the properties that `compute` has added. */
  readonly compute: readonly ComputeItem[]
}

/** A property of rows, by its path. */
export type RowProperty = readonly [path: readonly string[], info: PropertyInfo]

/** No type of a service has a name that starts so. */
const rowPrefix = '$rows'

export function isRowType(name: string): boolean {
  return name.startsWith(rowPrefix)
}

/** Rows with these properties. A path with several names leads through values that have rows' types, too. */
export function rowsWith(properties: readonly RowProperty[], outer: BindingContext): TransformedRows {
  const added: Record<string, TypeTable[string]> = {}
  const base = `${rowPrefix}${Object.keys(outer.types).length}`
  const name = addRowType(base, properties, added)
  const types = { ...outer.types, ...added }
  return { context: { ...contextAt(outer, { kind: 'complex', name }), types }, compute: [] }
}

function addRowType(
  name: string,
  properties: readonly RowProperty[],
  added: Record<string, TypeTable[string]>,
): string {
  const below = new Map<string, RowProperty[]>()
  for (const [path, info] of properties) {
    // Casts are no members of rows.
    const [first = '', ...rest] = path.filter(segment => !segment.includes('.'))
    below.set(first, [...(below.get(first) ?? []), [rest, info]])
  }
  const own: Record<string, PropertyInfo> = {}
  for (const [first, inner] of below) {
    const single = inner.find(([rest]) => rest.length === 0)
    own[first] = single === undefined ? { type: addRowType(`${name}/${first}`, inner, added) } : single[1]
  }
  added[name] = { kind: 'complexType', key: [], properties: own, navigation: {} }
  return name
}

/** A property with the values of an expression. */
export function propertyOf(type: StaticType): PropertyInfo {
  const single = type.kind === 'collection' ? type.of : type
  const collection = type.kind === 'collection' ? ({ collection: true } as const) : {}
  return { type: 'name' in single ? single.name : 'Edm.Untyped', ...collection }
}

/** The properties of rows, or those that items have without `$select` and those computed. */
export function propertiesOf({ context }: TransformedRows): readonly RowProperty[] {
  const { current, types, computed } = context
  if (current.kind !== 'entity' && current.kind !== 'complex') return []
  const own = propertiesBelow(current.name, types)
  return [...own, ...[...computed].map(([name, type]): RowProperty => [[name], propertyOf(type)])]
}

function propertiesBelow(typeName: string, types: TypeTable): readonly RowProperty[] {
  const info = structuredTypeInfo(typeName, types)
  return Object.entries(info?.properties ?? {}).flatMap(([name, property]): readonly RowProperty[] => {
    if (property.onSelect === true || property.type === 'Edm.Stream') return []
    if (!isRowType(property.type)) return [[[name], { type: property.type, ...collectionMarkOf(property) }]]
    return propertiesBelow(property.type, types).map(([path, inner]) => [[name, ...path], inner])
  })
}

function collectionMarkOf({ collection }: PropertyInfo): Pick<PropertyInfo, 'collection'> {
  return collection === true ? { collection } : {}
}

/** Whether transformations give items of the collection, perhaps with computed properties, and not rows. */
export function keepsItems(apply: readonly Transformation[]): boolean {
  return apply.every(step => {
    switch (step.kind) {
      case 'aggregate':
        return false
      case 'groupby':
        return step.apply.length > 0 && keepsItems(step.apply)
      case 'concat':
        return false
      default:
        return true
    }
  })
}

/** The groups of `groupby` on all levels of its rollups, the finest first. Each is a list of the properties to group by. */
export function groupings(
  by: Extract<Transformation, { kind: 'groupby' }>['by'],
): readonly (readonly (readonly string[])[])[] {
  return by.reduce<readonly (readonly (readonly string[])[])[]>(
    (all, item) => {
      const levels = item.kind === 'property' ? [[item.path]] : levelsOf(item)
      return all.flatMap(paths => levels.map(level => [...paths, ...level]))
    },
    [[]],
  )
}

function levelsOf({
  paths,
  total,
}: Extract<
  Extract<Transformation, { kind: 'groupby' }>['by'][number],
  { kind: 'rollup' }
>): readonly (readonly (readonly string[])[])[] {
  const levels = paths.map((_, index) => paths.slice(0, paths.length - index))
  return total ? [...levels, []] : levels
}

/** The type of a value at the end of a path of rows or items; `untyped` if it is unknown. */
export function typeAtPath(path: readonly string[], { context }: TransformedRows): StaticType {
  let { current }: Pick<BindingContext, 'current'> = context
  for (const [index, name] of path.entries()) {
    if (name.includes('.')) continue
    const known = index === 0 ? context.computed.get(name) : undefined
    if (known !== undefined) {
      current = known
      continue
    }
    const info =
      current.kind === 'entity' || current.kind === 'complex'
        ? structuredTypeInfo(current.name, context.types)
        : undefined
    const declared =
      info !== undefined && Object.hasOwn(info.properties, name)
        ? info.properties[name]
        : info !== undefined && Object.hasOwn(info.navigation, name)
          ? info.navigation[name]
          : undefined
    current = declared === undefined ? untyped : declaredType(declared, context.types)
  }
  return current
}
