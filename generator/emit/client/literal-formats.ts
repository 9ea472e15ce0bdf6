import type { EntityType, Property, Service, StructuredType } from '../../../spec/language/index.js'
import { type GeneratedFile, ownershipHeader } from '../../generated-file.js'
import { propertyName, valueIdentifier } from '../../names/identifiers.js'
import { importList } from '../../text/file-scope.js'
import { type Breakable, bracketed, labelled, layOut, spaced, unbroken } from '../../text/layout.js'
import { renderTemplate } from '../../text/render-template.js'
import type { ClientFile, EmitContext } from '../emit-context.js'
import { literalFormatName } from './path-arguments.js'

/** What `templates/literal-formats.hbs` shows. */
export interface LiteralFormatsFileView {
  readonly header: string
  readonly imports: readonly string[]
  /** The type of each constant. */
  readonly type: string
  readonly formats: readonly LiteralFormatsView[]
}

/** The formats of one type's values. */
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
  /** `literal-formats.ts`, with those that were asked for, and what these refer to; none when there are none. */
  files(): readonly GeneratedFile[]
}

/** Filters reach through this many complex properties at most. */
const deepest = 3

/** A constant that types share is named after its members: so many at most, to stay a name. */
const mostShared = 3

/**
 * @param throughRelations filters may stand inside an expanded relation, or lead through one
 */
export function literalFormats(
  service: Service,
  throughRelations: boolean,
  client: ClientFile,
  importPath: EmitContext['importPath'],
): LiteralFormatsTable {
  const imports = importList([])
  const formatValue = (name: string): string => imports.value(name, importPath('client/index.js'))
  const names = new Map<EntityType, string>()
  const waiting: EntityType[] = []
  const needs = typesThatNeedFormats(service, throughRelations)
  const shared = sharedFormats(needs, throughRelations)
  const sharedNames = new Map<string, string>()
  const constantOf = (type: EntityType): string | undefined => {
    if (!needs.has(type)) return undefined
    const content = shared.get(type)
    const known = names.get(type) ?? sharedNames.get(content ?? '')
    if (known !== undefined) return known
    const about = content === undefined ? type.name : nameOfShared(type)
    const name = client.scope.claim(`${valueIdentifier(about)}Formats`, '_')
    names.set(type, name)
    if (content !== undefined) sharedNames.set(content, name)
    waiting.push(type)
    return name
  }
  const view = (type: EntityType, name: string): LiteralFormatsView => {
    const relations = throughRelations ? type.navigation : []
    const members = [
      ...structuralFormats(type, 1, formatValue),
      // A getter: types lead to each other in circles.
      ...relations.flatMap(relation => {
        const target = constantOf(relation.type)
        return target === undefined
          ? []
          : [unbroken(`get ${propertyName(relation.name)}() {\n    return ${target}\n  }`)]
      }),
    ]
    const hasGetters = members.some(({ flat }) => flat.includes('\n'))
    const value = bracketed('{', members, '}', ',')
    return {
      name,
      value: hasGetters ? value.broken(0) : layOut(spaced(value), 0, `export const ${name}: LiteralFormats = `.length),
    }
  }
  return {
    nameOf: type => {
      const name = constantOf(type)
      return name === undefined ? undefined : client.formatsReference(name)
    },
    files: () => {
      const formats: LiteralFormatsView[] = []
      for (let type = waiting.shift(); type !== undefined; type = waiting.shift())
        formats.push(view(type, constantOf(type) ?? ''))
      if (formats.length === 0) return []
      const fileView: LiteralFormatsFileView = {
        header: ownershipHeader(service.name),
        type: imports.type('LiteralFormats', importPath('client/index.js')),
        formats,
        imports: imports.lines(),
      }
      return [{ path: 'literal-formats.ts', text: renderTemplate('literal-formats', fileView), kind: 'generated' }]
    },
  }
}

function structuralFormats(
  type: StructuredType,
  depth: number,
  formatValue: (name: string) => string,
): readonly Breakable[] {
  return type.properties.flatMap(property => {
    if (property.type.kind === 'complexType') {
      const inner = depth < deepest ? structuralFormats(property.type, depth + 1, formatValue) : []
      if (inner.length === 0) return []
      return [labelled(`${propertyName(property.name)}: `, spaced(bracketed('{', inner, '}', ',')))]
    }
    const format = literalFormatName(property.type)
    if (format === undefined) return []
    const local = formatValue(format)
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
    const content = JSON.stringify(formatted.map(property => [property.name, literalFormatName(property.type)]))
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
    property.type.kind === 'complexType'
      ? hasFormats(property.type, 2)
      : literalFormatName(property.type) !== undefined,
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
      : literalFormatName(property.type) !== undefined,
  )
}
