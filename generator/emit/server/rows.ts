import type { EntityType, NavigationProperty, QueryCapabilities, Service } from '../../../spec/language/index.js'
import { typeName } from '../../names/name-table.js'
import { upperFirst, withArticle } from '../doc-comments.js'
import type { CodeFile } from '../emit-context.js'
import { type DerivedTypes, derivedEntityTypes } from '../types/value-types.js'

/** An item as handlers return it. */
interface RowView {
  readonly docs: readonly string[]
  readonly name: string
  /** The type without the navigation properties. */
  readonly base: string
  readonly navigation: readonly { readonly name: string; readonly type: string }[]
}

/** Items as handlers return them. */
export interface Rows {
  /** The type of one item of an entity type: of the type itself, or of one that derives from it. */
  textOf(type: EntityType): string
  /** The requested ones, and all that they relate to. */
  views(): readonly RowView[]
}

export function rows(service: Service, file: CodeFile): Rows {
  const derived = derivedEntityTypes(service)
  const expanded = expandedRelations(service, derived)
  const names = new Map<EntityType, string>()
  const unionNames = new Map<EntityType, string>()
  const nameOf = (type: EntityType): string => {
    const name = names.get(type) ?? file.scope.claim(`${typeName(file.names, type)}Row`, '_')
    names.set(type, name)
    return name
  }
  const concrete = (type: EntityType): readonly EntityType[] =>
    (derived.get(type) ?? []).filter(({ abstract }) => !abstract)
  const mixes = (type: EntityType): boolean => type.abstract && concrete(type).length > 0
  const textOf = (type: EntityType): string => {
    if (type.abstract || concrete(type).length === 0) return nameOf(type)
    const name = unionNames.get(type) ?? file.scope.claim(`Any${typeName(file.names, type)}Row`, '_')
    unionNames.set(type, name)
    nameOf(type)
    return name
  }
  const relation = ({ name, type, collection, nullable }: NavigationProperty) => {
    const item = textOf(type)
    return { name, type: collection ? `readonly ${item}[]` : `${item}${nullable ? ' | null' : ''}` }
  }
  const view = (type: EntityType): RowView => {
    const name = nameOf(type)
    if (mixes(type)) return unionView(type, name, concrete(type))
    const base = `${file.runtime('Row')}<${file.typeReference(typeName(file.names, type))}>`
    const navigation = type.navigation
      .filter(({ name: relationName }) => expanded.get(type)?.has(relationName))
      .map(relation)
    const what = upperFirst(withArticle(type.name))
    const docs = [
      navigation.length === 0 ? `${what}.` : `${what}, with the navigation properties that the query expands.`,
    ]
    return { docs, name, base, navigation }
  }
  /** The rows of an entity type that have several types. */
  const unionView = (type: EntityType, name: string, members: readonly EntityType[]): RowView => {
    const docs = [`${upperFirst(withArticle(type.name))}; \`@odata.type\` names its type.`]
    return { docs, name, base: members.map(nameOf).join(' | '), navigation: [] }
  }
  return {
    textOf,
    views: () => {
      const own = new Map<EntityType, RowView>()
      const unions = new Map<EntityType, RowView>()
      for (let before = -1; own.size + unions.size !== before; ) {
        before = own.size + unions.size
        for (const type of names.keys()) if (!own.has(type)) own.set(type, view(type))
        for (const [type, name] of unionNames) {
          if (!unions.has(type)) unions.set(type, unionView(type, name, [type, ...concrete(type)]))
        }
      }
      return service.entityTypes.flatMap(type => [own.get(type) ?? [], unions.get(type) ?? []].flat())
    },
  }
}

/** Entity type -> names of the relations that some query may expand from its items. */
function expandedRelations(
  service: Service,
  derived: DerivedTypes<EntityType>,
): ReadonlyMap<EntityType, ReadonlySet<string>> {
  const expanded = new Map<EntityType, Set<string>>()
  const depths = new Map<EntityType, number>()

  /** Everything may be expanded from a type, for this many more levels. */
  const expandAll = (type: EntityType, levels: number): void => {
    if (levels <= (depths.get(type) ?? 0)) return
    depths.set(type, levels)
    expand(
      type,
      type.navigation.map(({ name }) => name),
      levels,
    )
  }
  const expand = (type: EntityType, relations: readonly string[], levels: number): void => {
    const names = expanded.get(type) ?? new Set()
    expanded.set(type, names)
    for (const relation of type.navigation) {
      if (!relations.includes(relation.name)) continue
      names.add(relation.name)
      for (const target of [relation.type, ...(derived.get(relation.type) ?? [])]) expandAll(target, levels - 1)
    }
    for (const deeper of derived.get(type) ?? []) {
      const known = expanded.get(deeper) ?? new Set()
      expanded.set(deeper, known)
      for (const relation of deeper.navigation) if (relations.includes(relation.name)) known.add(relation.name)
    }
  }

  for (const endpoint of service.endpoints) {
    const query = 'query' in endpoint ? endpoint.query : undefined
    const type = endpoint.kind === 'call' ? endpoint.operation.returns?.type : endpoint.type
    if (query === undefined || query.expand.support === 'none' || type?.kind !== 'entityType') continue
    expand(type, offered(query), query.expand.nested.includes('expand') ? query.expand.maxDepth : 1)
  }
  return expanded
}

const offered = ({ expand }: QueryCapabilities): readonly string[] =>
  Object.keys(expand.relations).filter(name => expand.relations[name] !== 'none')
