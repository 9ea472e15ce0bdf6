import type { EntityType, NavigationProperty, Service } from '../../../spec/language/index.js'
import { propertyName } from '../../names/identifiers.js'
import { typeName } from '../../names/name-table.js'
import { type Breakable, layOut, unbroken } from '../../text/layout.js'
import { stringLiteral } from '../../text/literals.js'
import type { ClientFile } from '../emit-context.js'

/** One entity type as the compiler sees it, as `templates/client.hbs` shows it. */
export interface ShapeView {
  readonly name: string
  readonly properties: string
  readonly key: string
  readonly navigation: string
}

/** The shapes of entity types: what they hold, and what they lead to. */
export interface EntityShapes {
  nameOf(type: EntityType): string
  /** Those that were asked for, and all that can be reached from these. */
  views(): readonly ShapeView[]
}

export function entityShapes(service: Service, file: ClientFile): EntityShapes {
  const names = new Map<EntityType, string>()
  const nameOf = (type: EntityType): string => {
    const known = names.get(type) ?? file.scope.claim(`${typeName(file.names, type)}Shape`, '_')
    names.set(type, known)
    return known
  }
  const view = (type: EntityType): ShapeView => ({
    name: nameOf(type),
    properties: file.typeReference(typeName(file.names, type)),
    key: type.key.map(({ name }) => stringLiteral(name)).join(' | ') || 'never',
    navigation: layOut(navigationType(type.navigation.map(relation)), 2, '  readonly navigation: '.length),
  })
  const relation = (property: NavigationProperty): string => {
    const { name, type, collection, nullable } = property
    const to = collection
      ? `${file.runtimeType('ToMany', 'entity-shape')}<${nameOf(type)}>`
      : `${file.runtimeType('ToOne', 'entity-shape')}<${nameOf(type)}${nullable ? ', true' : ''}>`
    return `readonly ${propertyName(name)}: ${to}`
  }
  return {
    nameOf,
    views: () => {
      const made = new Map<EntityType, ShapeView>()
      for (let before = -1; made.size !== before; ) {
        before = made.size
        for (const type of names.keys()) if (!made.has(type)) made.set(type, view(type))
      }
      return service.entityTypes.flatMap(type => made.get(type) ?? [])
    },
  }
}

function navigationType(members: readonly string[]): Breakable {
  if (members.length === 0) return unbroken('object')
  return {
    flat: `{ ${members.join('; ')} }`,
    broken: indentation => {
      const inner = `\n${' '.repeat(indentation + 2)}`
      return `{${members.map(member => inner + member).join('')}\n${' '.repeat(indentation)}}`
    },
  }
}
