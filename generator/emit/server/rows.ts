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
  const nameOf = (type: EntityType): string => {
    const name = names.get(type) ?? file.scope.claim(`${typeName(file.names, type)}Row`, '_')
    names.set(type, name)
    return name
  }
  const concrete = (type: EntityType): readonly EntityType[] =>
    (derived.get(type) ?? []).filter(({ abstract }) => !abstract)
  const mixes = (type: EntityType): boolean => type.abstract && concrete(type).length > 0
  const textOf = (type: EntityType): string =>
    mixes(type) ? nameOf(type) : [type, ...concrete(type)].map(nameOf).join(' | ')
  const relation = ({ name, type, collection, nullable }: NavigationProperty) => {
    const text = textOf(type)
    const item = text.includes(' ') && collection ? `(${text})` : text
    return { name, type: collection ? `readonly ${item}[]` : `${item}${nullable ? ' | null' : ''}` }
  }
  const view = (type: EntityType): RowView => {
    const name = nameOf(type)
    if (mixes(type)) {
      const union = layOut(unionBehind(concrete(type).map(nameOf)), 0, `export type ${name} = `.length)
      const docs = [`${upperFirst(words(type.name))}: \`@odata.type\` says of which type.`]
      return { docs, name, base: union.startsWith('\n') ? union : ` ${union}`, relations: [] }
    }
    const base = ` ${file.runtimeType('Row', 'server/row')}<${file.typeReference(typeName(file.names, type))}>`
    const relations = type.navigation
      .filter(({ name: relationName }) => expanded.get(type)?.has(relationName))
      .map(relation)
    const what = upperFirst(words(type.name))
    const docs = [relations.length === 0 ? `${what}.` : `${what}, with the relations that the query expands.`]
    return { docs, name, base, relations }
  }
  return {
    textOf,
    views: () => {
      const made = new Map<EntityType, RowView>()
      for (let before = -1; made.size !== before; ) {
        before = made.size
        for (const type of names.keys()) if (!made.has(type)) made.set(type, view(type))
      }
      return service.entityTypes.flatMap(type => made.get(type) ?? [])
    },
  }
}

const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
