import type { EntityType, NavigationProperty, Service } from '../../../spec/language/index.js'
import { typeName } from '../../names/name-table.js'
import { literalUnion } from '../../text/literals.js'
import type { CodeFile } from '../emit-context.js'

/** One entity type as the compiler sees it, as `templates/client.hbs` shows it. */
interface ShapeView {
  readonly name: string
  readonly properties: string
  readonly key: string
  readonly navigation: readonly {
    readonly name: string
    readonly shape: string
    readonly collection: boolean
    readonly nullable: boolean
  }[]
}

/** The shapes of entity types: their properties, their key, and where they lead. */
export interface EntityShapes {
  nameOf(type: EntityType): string
  /** The shapes that were requested, and all that they lead to. */
  views(): readonly ShapeView[]
}

export function entityShapes(service: Service, file: CodeFile): EntityShapes {
  const names = new Map<EntityType, string>()
  const nameOf = (type: EntityType): string => {
    const known = names.get(type) ?? file.scope.claim(`${typeName(file.names, type)}Shape`, '_')
    names.set(type, known)
    return known
  }
  const navigation = ({ name, type, collection, nullable }: NavigationProperty): ShapeView['navigation'][number] => ({
    name,
    shape: nameOf(type),
    collection,
    nullable,
  })
  return {
    nameOf,
    views: () => {
      const views = new Map<EntityType, ShapeView>()
      // A map also iterates over entries that are added meanwhile: the shapes that a shape leads to.
      for (const [type, name] of names) {
        views.set(type, {
          name,
          properties: file.typeReference(typeName(file.names, type)),
          key: literalUnion(type.key.map(property => property.name)),
          navigation: type.navigation.map(navigation),
        })
      }
      return service.entityTypes.flatMap(type => views.get(type) ?? [])
    },
  }
}
