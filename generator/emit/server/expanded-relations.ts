import type { EntityType, QueryCapabilities, Service } from '../../../spec/language/model/index.js'
import type { DerivedTypes } from '../derived-types.js'

/** Entity type -> names of the relations that some query may expand from its items. */
export function expandedRelations(
  service: Service,
  derived: DerivedTypes<EntityType>,
): ReadonlyMap<EntityType, ReadonlySet<string>> {
  const expanded = new Map<EntityType, Set<string>>()
  const depths = new Map<EntityType, number>()

  /** Everything may be expanded from a type, for so many levels more. */
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
