import type { EntityType, Service, StructuredType } from '../../../spec/language/model/index.js'
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

/** The constants that say how values are written in a URL, one a type that needs one. */
export interface LiteralFormatsTable {
  /** The constant for queries over items of a type; undefined when all of its values are written as strings. */
  nameOf(type: EntityType): string | undefined
  /** Those that were asked for, and what these refer to. */
  views(): readonly LiteralFormatsView[]
}

/** Filters reach through this many complex properties at most. */
const deepest = 3

/**
 * @param throughRelations filters may stand inside an expanded relation, or lead through one
 */
export function literalFormats(service: Service, throughRelations: boolean, file: ClientFile): LiteralFormatsTable {
  const names = new Map<EntityType, string>()
  const waiting: EntityType[] = []
  const needs = typesThatNeedFormats(service, throughRelations)
  const nameOf = (type: EntityType): string | undefined => {
    if (!needs.has(type)) return undefined
    const known = names.get(type)
    if (known !== undefined) return known
    const name = file.scope.claim(`${valueIdentifier(type.name)}Formats`, '_')
    names.set(type, name)
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
