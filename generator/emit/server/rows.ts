import type { EntityType, NavigationProperty, Service } from '../../../spec/language/model/index.js'
import { typeName } from '../../names/name-table.js'
import { layOut, unionBehind } from '../../text/breakable.js'
import { derivedEntityTypes } from '../derived-types.js'
import { words } from '../words.js'
import { expandedRelations } from './expanded-relations.js'
import type { ServerFile } from './server-file.js'
import type { RowView } from './server-view.js'

/** Items as handlers return them. */
export interface Rows {
  /** The type of one item of an entity type: of the type itself, or of one that derives from it. */
  textOf(type: EntityType): string
  /** Those that were asked for, and all that they relate to. */
  views(): readonly RowView[]
}

export function rows(service: Service, file: ServerFile): Rows {
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
    const base = ` ${file.runtimeType('Row', 'server/row')}<${file.typeReference(typeName(file.names, type))}>`
    const relations = type.navigation
      .filter(({ name: relationName }) => expanded.get(type)?.has(relationName))
      .map(relation)
    const what = upperFirst(words(type.name))
    const docs = [relations.length === 0 ? `${what}.` : `${what}, with the relations that the query expands.`]
    return { docs, name, base, relations }
  }
  /** The rows of an entity type that are of several types. */
  const unionView = (type: EntityType, name: string, members: readonly EntityType[]): RowView => {
    const union = layOut(unionBehind(members.map(nameOf)), 0, `export type ${name} = `.length)
    const docs = [`${upperFirst(words(type.name))}: \`@odata.type\` says of which type.`]
    return { docs, name, base: union.startsWith('\n') ? union : ` ${union}`, relations: [] }
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

const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
