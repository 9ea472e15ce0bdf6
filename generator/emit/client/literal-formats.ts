import type { EntityType, Property, Service, StructuredType } from '../../../spec/language/model/index.js'
import { valueIdentifier } from '../../names/identifier.js'
import { propertyName } from '../../names/property-name.js'
import { type Breakable, bracketed, labelled, layOut, spaced, unbroken } from '../../text/breakable.js'
import type { ClientFile } from './client-file.js'
import { formatName } from './path-template-text.js'

/** The formats of one type's values, as `templates/client.hbs` shows them. */
export interface LiteralFormatsView {
  readonly name: string
  readonly value: string
}

/**
 * The constants that say how values are written in a URL. A type that needs one has one of its own, unless it has as many
 * values of that kind, of the same names, as other types, and few.
 */
export interface LiteralFormatsTable {
  /** The constant for queries over items of a type; undefined when all of its values are written as strings. */
  nameOf(type: EntityType): string | undefined
  /** Those that were asked for, and what these refer to. */
  views(): readonly LiteralFormatsView[]
}

/** Filters reach through this many complex properties at most. */
const deepest = 3

/** A constant that types share is named after its members: so many at most, to stay a name. */
const mostShared = 3

/**
 * @param throughRelations filters may stand inside an expanded relation, or lead through one
 */
export function literalFormats(service: Service, throughRelations: boolean, file: ClientFile): LiteralFormatsTable {
  const names = new Map<EntityType, string>()
  const waiting: EntityType[] = []
  const needs = typesThatNeedFormats(service, throughRelations)
  const shared = sharedFormats(needs, throughRelations)
  const sharedNames = new Map<string, string>()
  const nameOf = (type: EntityType): string | undefined => {
    if (!needs.has(type)) return undefined
    const content = shared.get(type)
    const known = names.get(type) ?? sharedNames.get(content ?? '')
    if (known !== undefined) return known
    const about = content === undefined ? type.name : nameOfShared(type)
    const name = file.scope.claim(`${valueIdentifier(about)}Formats`, '_')
    names.set(type, name)
    if (content !== undefined) sharedNames.set(content, name)
    waiting.push(type)
    return name
  }
  const view = (type: EntityType, name: string): LiteralFormatsView => {
    const relations = throughRelations ? type.navigation : []
    const members = [
      ...structuralFormats(type, 1, file),
      // A getter: types lead to each other in circles.
      ...relations.flatMap(relation => {
        const target = nameOf(relation.type)
        return target === undefined
          ? []
          : [unbroken(`get ${propertyName(relation.name)}() {\n    return ${target}\n  }`)]
      }),
    ]
    const hasGetters = members.some(({ flat }) => flat.includes('\n'))
    const value = bracketed('{', members, '}', ',')
    return {
      name,
      value: hasGetters ? value.broken(0) : layOut(spaced(value), 0, `const ${name}: LiteralFormats = `.length),
    }
  }
  return {
    nameOf,
    views: () => {
      const views: LiteralFormatsView[] = []
      for (let type = waiting.shift(); type !== undefined; type = waiting.shift())
        views.push(view(type, nameOf(type) ?? ''))
      return views
    },
  }
}

function structuralFormats(type: StructuredType, depth: number, file: ClientFile): readonly Breakable[] {
  return type.properties.flatMap(property => {
    if (property.type.kind === 'complexType') {
      const inner = depth < deepest ? structuralFormats(property.type, depth + 1, file) : []
      if (inner.length === 0) return []
      return [labelled(`${propertyName(property.name)}: `, spaced(bracketed('{', inner, '}', ',')))]
    }
    const format = formatName(property.type)
    if (format === undefined) return []
    const local = file.runtimeValue(format, 'literal-formats')
    if (property.collection) return [unbroken(`${propertyName(property.name)}: { $it: ${local} }`)]
    return [unbroken(local === property.name ? local : `${propertyName(property.name)}: ${local}`)]
  })
}

/** What stands in the constant of types that share it with others. */
function sharedFormats(needs: ReadonlySet<EntityType>, throughRelations: boolean): ReadonlyMap<EntityType, string> {
  const types = new Map<string, EntityType[]>()
  for (const type of needs) {
    const formatted = formattedProperties(type)
    const isPlain =
      formatted.length <= mostShared &&
      formatted.every(property => property.type.kind !== 'complexType' && !property.collection) &&
      !(throughRelations && type.navigation.some(relation => needs.has(relation.type)))
    if (!isPlain) continue
    const content = JSON.stringify(formatted.map(property => [property.name, formatName(property.type)]))
    const known = types.get(content)
    if (known === undefined) types.set(content, [type])
    else known.push(type)
  }
  return new Map(
    [...types].flatMap(([content, all]) => (all.length < 2 ? [] : all.map(type => [type, content] as const))),
  )
}

/** `createdDateTime-and-dueDate` */
const nameOfShared = (type: EntityType): string =>
  formattedProperties(type)
    .map(({ name }) => name)
    .join('-and-')

/** Properties that are not written as strings, or hold some that are not. */
const formattedProperties = (type: StructuredType): readonly Property[] =>
  type.properties.filter(property =>
    property.type.kind === 'complexType' ? hasFormats(property.type, 2) : formatName(property.type) !== undefined,
  )

/** Types with a property that is not written as a string, or related to one. */
function typesThatNeedFormats(service: Service, throughRelations: boolean): ReadonlySet<EntityType> {
  const needs = new Set(service.entityTypes.filter(type => hasFormats(type, 1)))
  if (!throughRelations) return needs
  const sources = new Map<EntityType, EntityType[]>()
  for (const type of service.entityTypes) {
    for (const { type: target } of type.navigation) {
      const known = sources.get(target)
      if (known === undefined) sources.set(target, [type])
      else known.push(type)
    }
  }
  const waiting = [...needs]
  for (let type = waiting.pop(); type !== undefined; type = waiting.pop()) {
    for (const source of sources.get(type) ?? []) {
      if (needs.has(source)) continue
      needs.add(source)
      waiting.push(source)
    }
  }
  return needs
}

function hasFormats(type: StructuredType, depth: number): boolean {
  return type.properties.some(property =>
    property.type.kind === 'complexType'
      ? depth < deepest && hasFormats(property.type, depth + 1)
      : formatName(property.type) !== undefined,
  )
}
