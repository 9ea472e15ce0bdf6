import type {
  EntityType,
  Preference,
  Property,
  QueryCapabilities,
  StructuredType,
  Support,
  ValueType,
} from '../../../spec/language/model/index.js'
import { propertyName } from '../../names/property-name.js'
import { layOut, unionBehind } from '../../text/breakable.js'
import { stringLiteral } from '../../text/string-literal.js'
import { builderMembers } from './builder-members.js'
import type { ClientFile } from './client-file.js'

/** What endpoints allow of the query language, member by member; each with what stands before it, a space or a line break. */
export interface QueryTypeText {
  readonly options: string
  readonly filter: string
  readonly unfilterable: string
  readonly through: string
  readonly orderby: string
  readonly expand: string
  readonly search: string
  readonly nested: string
  readonly prefer: string
}

const optionNames = ['select', 'filter', 'orderby', 'expand', 'top', 'skip', 'count', 'search'] as const

/** Nothing allowed; `nested` names the type that says so. */
export function noQueryText(nested: string, preferences: readonly Preference[]): QueryTypeText {
  return {
    options: never,
    filter: never,
    unfilterable: never,
    through: never,
    orderby: never,
    expand: never,
    search: never,
    nested: ` ${nested}`,
    prefer: preferencesText(preferences),
  }
}

/** What the query options of an endpoint on items of a type allow. */
export function queryTypeText(
  query: QueryCapabilities,
  type: EntityType,
  preferences: readonly Preference[],
  nested: string,
  file: ClientFile,
): QueryTypeText {
  const options = optionNames.filter(name => supportOf(query[name]) !== 'none')
  const given = (name: (typeof optionNames)[number], text: () => string): string =>
    options.includes(name) ? text() : never
  return {
    options: literals(options),
    filter: given('filter', () => literals(builderMembers(query.filter))),
    unfilterable: given('filter', () =>
      literals(namesWhere(query.filter.properties, entry => supportOf(entry) === 'none')),
    ),
    through: given('filter', () => literals(throughRelations(query, type))),
    orderby: given('orderby', () => orderbyText(query, type)),
    expand: given('expand', () => literals(namesWhere(query.expand.relations, support => support !== 'none'))),
    search: given('search', () => searchText(query, file)),
    nested: ` ${nested}`,
    prefer: preferencesText(preferences),
  }
}

/** What a relation takes that is expanded at a depth; undefined when it takes nothing. */
export function nestedQueryText(
  query: QueryCapabilities,
  depth: number,
  nested: string,
  file: ClientFile,
): QueryTypeText {
  const deeper = expandsFrom(query, depth)
  const options = optionNames.filter(name => (name === 'expand' ? deeper : query.expand.nested.includes(name)))
  const given = (name: (typeof optionNames)[number], text: () => string): string =>
    options.includes(name) ? text() : never
  return {
    options: literals(options),
    filter: given('filter', () => literals(builderMembers(query.filter))),
    unfilterable: never,
    through: never,
    orderby: given('orderby', () => anyName),
    expand: given('expand', () => anyName),
    search: given('search', () => searchText(query, file)),
    nested: ` ${nested}`,
    prefer: preferencesText([]),
  }
}

/** Whether what is expanded at a depth may itself expand. */
export const expandsFrom = ({ expand }: QueryCapabilities, depth: number): boolean =>
  expand.nested.includes('expand') && depth < expand.maxDepth

const never = ' never'
const anyName = ' string'

const supportOf = (entry: Support | { readonly support: Support }): Support =>
  typeof entry === 'string' ? entry : entry.support

const literals = (names: readonly string[]): string => {
  const text = layOut(unionBehind(names.map(stringLiteral)), 2, '  readonly unfilterable: '.length)
  return text.startsWith('\n') ? text : ` ${text}`
}

const namesWhere = <Entry>(
  entries: Readonly<Record<string, Entry>>,
  holds: (entry: Entry) => boolean,
): readonly string[] => Object.entries(entries).flatMap(([name, entry]) => (holds(entry) ? [name] : []))
/** A filter leads through those relations only that the capabilities name. */
function throughRelations({ filter }: QueryCapabilities, type: EntityType): readonly string[] {
  const named = new Set(
    namesWhere(filter.properties, entry => supportOf(entry) !== 'none').map(path => path.split('/')[0]),
  )
  return type.navigation.map(({ name }) => name).filter(name => named.has(name))
}

function orderbyText({ orderby }: QueryCapabilities, type: EntityType): string {
  const refused = namesWhere(orderby.properties, support => support === 'none')
  if (orderby.only !== undefined) return literals(orderby.only)
  if (refused.length === 0) return anyName
  const isRefused = (path: string): boolean => refused.some(name => path === name || path.startsWith(`${name}/`))
  return literals(sortablePaths(type, 1).filter(path => !isRefused(path)))
}

/** Paths to single primitive values, through at most two complex properties. */
function sortablePaths(type: StructuredType, depth: number): readonly string[] {
  return type.properties.flatMap((property: Property) => {
    if (property.collection || isUnordered(property.type)) return []
    if (property.type.kind !== 'complexType') return [property.name]
    if (depth === 3) return []
    return sortablePaths(property.type, depth + 1).map(path => `${property.name}/${path}`)
  })
}

/** Streams and places on earth are neither less nor greater than others. */
const isUnordered = (type: ValueType): boolean => type.kind === 'primitive' && /^(?:Stream|Geo)/.test(type.name)

function searchText({ search }: QueryCapabilities, file: ClientFile): string {
  if (search.syntax === 'words') return ` ${file.runtimeType('SearchWords', 'search')}`
  const terms = file.runtimeType('SearchTerms', 'search')
  return ` ${terms}<${search.properties.map(stringLiteral).join(' | ') || 'never'}>`
}

function preferencesText(preferences: readonly Preference[]): string {
  if (preferences.length === 0) return ' object'
  const members = preferences.map(
    ({ name, values }) => `readonly ${propertyName(name)}?: ${values.map(stringLiteral).join(' | ') || 'never'}`,
  )
  return ` { ${members.join('; ')} }`
}
