import type {
  EntityType,
  FilterCapabilities,
  Preference,
  Property,
  QueryCapabilities,
  StructuredType,
  Support,
  ValueType,
} from '../../../spec/language/index.js'
import { propertyName, typeIdentifier } from '../../names/identifiers.js'
import { layOut, unionBehind } from '../../text/layout.js'
import { stringLiteral } from '../../text/literals.js'
import { annotatedDocs } from '../docs.js'
import type { ClientFile } from '../emit-context.js'
import { builderFunctions, callableFunctions } from './callable-functions.js'

/** One type of what endpoints allow of the query language, as `templates/client.hbs` shows it. */
export interface QueryTypeView extends QueryTypeText {
  readonly docs: readonly string[]
  readonly name: string
}

/** The types of queries that a client declares, each once however many endpoints share it. */
export interface QueryTypes {
  /**
   * The name of the type for an endpoint's queries.
   *
   * @param endpoint start of the names of the endpoint's own types
   */
  nameOf(
    query: QueryCapabilities | undefined,
    type: EntityType,
    preferences: readonly Preference[],
    endpoint: string,
  ): string
  /** Those that were asked for, in that order, and then what these refer to. */
  views(): readonly QueryTypeView[]
}

export function queryTypes(file: ClientFile): QueryTypes {
  const asked: QueryTypeView[] = []
  const nested: QueryTypeView[] = []
  const known = new Map<string, string>()
  const noQuery = file.scope.claim('NoQuery', '_')
  let usesNoQuery = false

  /** Declares a type unless one like it is declared among those of its purpose. */
  const declare = (
    text: QueryTypeText,
    purpose: string,
    [wanted, otherwise]: readonly [string, string],
    docs: string,
    into: QueryTypeView[],
  ): string => {
    const content = JSON.stringify([purpose, text])
    const declared = known.get(content)
    if (declared !== undefined) return declared
    const name = file.scope.claim(file.scope.taken.has(wanted) ? otherwise : wanted, '_')
    known.set(content, name)
    into.push({ docs: [docs], name, ...text })
    return name
  }
  const none = (): string => {
    usesNoQuery = true
    return noQuery
  }
  const nestedName = (query: QueryCapabilities, depth: number): string => {
    const { support, nested: options } = query.expand
    if (support === 'none' || options.length === 0) return none()
    const text = nestedQueryText(query, depth, expandsFrom(query, depth) ? nestedName(query, depth + 1) : none(), file)
    if (options.length === 1 && options[0] === 'select') {
      return declare(text, '', ['SelectOnly', 'SelectOnlyQuery'], 'Takes `select` alone.', nested)
    }
    const name = `${typeIdentifier(query.name)}Expanded${depth === 1 ? '' : depth}`
    return declare(text, '', [name, `${name}Query`], `What ${query.name} allows in what it expands.`, nested)
  }

  return {
    nameOf(query, type, preferences, endpoint) {
      if (query === undefined && preferences.length === 0) return none()
      if (query === undefined) {
        const name = `${endpoint}Query`
        return declare(noQueryText(none(), preferences), 'preferences', [name, name], 'Preferences only.', asked)
      }
      const text = queryTypeText(query, type, preferences, nestedName(query, 1), file)
      const docs = [query.name, ...annotatedDocs(query)].join(query.description === undefined ? ' ' : ': ')
      const name = typeIdentifier(query.name) || endpoint
      return declare(text, query.name, [name, `${endpoint}Query`], docs, asked)
    },
    views: () => [
      ...asked,
      ...nested,
      ...(usesNoQuery ? [{ docs: ['No query options.'], name: noQuery, ...noQueryText(noQuery, []) }] : []),
    ],
  }
}

/** What endpoints allow of the query language, member by member; each with what stands before it, a space or a line break. */
interface QueryTypeText {
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
function noQueryText(nested: string, preferences: readonly Preference[]): QueryTypeText {
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
function queryTypeText(
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
function nestedQueryText(query: QueryCapabilities, depth: number, nested: string, file: ClientFile): QueryTypeText {
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
const expandsFrom = ({ expand }: QueryCapabilities, depth: number): boolean =>
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

/** The members of the client's filter builder, and the functions that it can call by name. */
const operators = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'has', 'and', 'or', 'not']
const functions = [...builderFunctions, ...callableFunctions.map(({ name }) => name)]
const lambdas = ['any', 'all']

/** The members of the filter builder that an endpoint with the given capabilities supports. */
export function builderMembers(filter: FilterCapabilities): readonly string[] {
  return [
    ...operators.filter(supportedIn(filter.operators)),
    ...functions.filter(supportedIn(filter.functions)),
    ...lambdas.filter(supportedIn(filter.lambdas)),
  ]
}

function supportedIn(declared: Readonly<Record<string, Support>>): (name: string) => boolean {
  const supported = new Set(
    Object.keys(declared)
      .filter(name => declared[name] !== 'none')
      .map(name => name.toLowerCase()),
  )
  return name => supported.has(name.toLowerCase())
}
