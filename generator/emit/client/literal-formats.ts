import type { EntityType, Property, QueryCapabilities, Service, StructuredType } from '../../../spec/language/index.js'
import type { GeneratedFile } from '../../generated-file.js'
import { valueIdentifier } from '../../names/identifiers.js'
import type { NameTable } from '../../names/name-table.js'
import { scope } from '../../text/file-scope.js'
import { renderTemplate } from '../../text/render-template.js'
import { withArticle } from '../doc-comments.js'
import { type CodeFile, codeFile, type EmitContext } from '../emit-context.js'
import { derivedEntityTypes } from '../types/value-types.js'
import { literalFormatName } from './path-arguments.js'
import { casts } from './query-types.js'

/** The formats of one type's values, as `templates/literal-formats.hbs` shows them. */
interface LiteralFormatsView {
  readonly docs: readonly string[]
  readonly name: string
  readonly properties: readonly FormatView[]
  /** Navigation properties and the names of derived types, and the constants of their types. */
  readonly navigation: readonly { readonly name: string; readonly constant: string }[]
}

/** A property with its format, or a complex property with those inside it. */
interface FormatView {
  readonly name: string
  readonly format: string
  readonly collection: boolean
  readonly properties: readonly FormatView[]
}

/**
 * The constants for the formats of values in a URL. Each type that needs formats has its own constant, unless its formats are
 * few and equal those of other types.
 */
export interface LiteralFormatsTable {
  /** The constant for queries over items of a type; undefined if all of its values are written as strings. */
  nameOf(type: EntityType): string | undefined
  /** `literal-formats.ts` with the requested constants and those that they refer to; nothing when there are none. */
  files(): readonly GeneratedFile[]
}

/** The maximum number of complex properties in a path of a filter. */
const deepest = 3

/** The name of a shared constant contains the names of its members. With more members, it would be too long. */
const mostShared = 3

/** @param throughRelations filters may be inside an expanded navigation property, or lead through one */
export function literalFormats(context: EmitContext, throughRelations: boolean, client: CodeFile): LiteralFormatsTable {
  const names = new Map<EntityType, string>()
  const waiting: EntityType[] = []
  const reached = reachedTypes(context.service, throughRelations)
  const needs = typesThatNeedFormats(context, reached)
  const shared = sharedFormats(needs, reached, context.names)
  const sharedNames = new Map<string, string>()
  const constantOf = (type: EntityType): string | undefined => {
    if (!needs.has(type)) return undefined
    const content = shared.get(type)
    const known = names.get(type) ?? sharedNames.get(content ?? '')
    if (known !== undefined) return known
    const about = content === undefined ? type.name : nameOfShared(type, context.names)
    const name = client.scope.claim(`${valueIdentifier(about)}Formats`, '_')
    names.set(type, name)
    if (content !== undefined) sharedNames.set(content, name)
    waiting.push(type)
    return name
  }
  const view = (type: EntityType): LiteralFormatsView => ({
    docs: [
      `Values of ${shared.has(type) ? `types with ${propertyNames(type, context.names).join(' and ')}` : withArticle(type.name)}.`,
    ],
    name: constantOf(type) ?? '',
    properties: structuralFormats(type, 1, context.names),
    navigation: reached(type).flatMap(({ name, target }) => {
      const constant = constantOf(target)
      return constant === undefined ? [] : [{ name, constant }]
    }),
  })
  return {
    nameOf: type => {
      const name = constantOf(type)
      return name === undefined ? undefined : client.constant(name, './literal-formats.js')
    },
    files: () => {
      const formats: LiteralFormatsView[] = []
      for (let type = waiting.shift(); type !== undefined; type = waiting.shift()) formats.push(view(type))
      if (formats.length === 0) return []
      const file = codeFile(context, 'client', scope(names.values()))
      return [
        { path: 'literal-formats.ts', text: renderTemplate('literal-formats', { formats }, file), kind: 'generated' },
      ]
    },
  }
}

/** A type that a path in a filter reaches from another one: by a relation, or by a cast to a derived type. */
interface Reached {
  readonly name: string
  readonly target: EntityType
}

type ReachedTypes = (type: EntityType) => readonly Reached[]

function reachedTypes(service: Service, throughRelations: boolean): ReachedTypes {
  const derived = derivedEntityTypes(service)
  const hasCasts = service.endpoints.some(
    endpoint => 'query' in endpoint && endpoint.query !== undefined && casts(endpoint.query),
  )
  return type => [
    ...(throughRelations ? type.navigation.map(relation => ({ name: relation.name, target: relation.type })) : []),
    ...(hasCasts ? (derived.get(type) ?? []).map(below => ({ name: below.qualifiedName, target: below })) : []),
  ]
}

function structuralFormats(type: StructuredType, depth: number, names: NameTable): readonly FormatView[] {
  return type.properties.flatMap(({ name, type: valueType, collection }) => {
    if (valueType.kind === 'complexType') {
      const properties = depth < deepest ? structuralFormats(valueType, depth + 1, names) : []
      return properties.length === 0 ? [] : [{ name, format: '', collection, properties }]
    }
    const format = literalFormatName(valueType, names)
    return format === undefined ? [] : [{ name, format, collection, properties: [] }]
  })
}

/** Whether any filter may be inside an expanded navigation property, or lead through one. */
export function filtersReachRelations(service: Service): boolean {
  const reaches = ({ expand, filter }: QueryCapabilities): boolean =>
    (expand.support !== 'none' && expand.nested.includes('filter')) ||
    Object.values(filter.properties).some(({ support }) => support !== 'none')
  return service.endpoints.some(
    endpoint => 'query' in endpoint && endpoint.query !== undefined && reaches(endpoint.query),
  )
}

/** The content of the constants that several types share. */
function sharedFormats(
  needs: ReadonlySet<EntityType>,
  reached: ReachedTypes,
  names: NameTable,
): ReadonlyMap<EntityType, string> {
  const types = new Map<string, EntityType[]>()
  for (const type of needs) {
    const formatted = formattedProperties(type, names)
    const isPlain =
      formatted.length <= mostShared &&
      formatted.every(property => property.type.kind !== 'complexType' && !property.collection) &&
      !reached(type).some(({ target }) => needs.has(target))
    if (!isPlain) continue
    const content = JSON.stringify(formatted.map(property => [property.name, literalFormatName(property.type, names)]))
    const known = types.get(content)
    if (known === undefined) types.set(content, [type])
    else known.push(type)
  }
  return new Map(
    [...types].flatMap(([content, all]) => (all.length < 2 ? [] : all.map(type => [type, content] as const))),
  )
}

/** `createdDateTime-and-dueDate` */
const nameOfShared = (type: EntityType, names: NameTable): string => propertyNames(type, names).join('-and-')

const propertyNames = (type: EntityType, names: NameTable): readonly string[] =>
  formattedProperties(type, names).map(({ name }) => name)

/** Properties that are not written as strings, or contain such properties. */
const formattedProperties = (type: StructuredType, names: NameTable): readonly Property[] =>
  type.properties.filter(property =>
    property.type.kind === 'complexType'
      ? hasFormats(property.type, 2, names)
      : literalFormatName(property.type, names) !== undefined,
  )

/** Types with a property that is not written as a string, and types from which a path reaches one. */
function typesThatNeedFormats({ service, names }: EmitContext, reached: ReachedTypes): ReadonlySet<EntityType> {
  const needs = new Set(service.entityTypes.filter(type => hasFormats(type, 1, names)))
  const sources = new Map<EntityType, EntityType[]>()
  for (const type of service.entityTypes) {
    for (const { target } of reached(type)) {
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

function hasFormats(type: StructuredType, depth: number, names: NameTable): boolean {
  return type.properties.some(property =>
    property.type.kind === 'complexType'
      ? depth < deepest && hasFormats(property.type, depth + 1, names)
      : literalFormatName(property.type, names) !== undefined,
  )
}
