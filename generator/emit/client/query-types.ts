import type {
  ApplyCapabilities,
  EntityType,
  FilterCapabilities,
  Preference,
  Property,
  QueryCapabilities,
  StructuredType,
  Support,
  ValueType,
} from '../../../spec/language/index.js'
import { typeIdentifier } from '../../names/identifiers.js'
import { literalUnion } from '../../text/literals.js'
import { annotatedDocs } from '../doc-comments.js'
import { type CodeFile, type PreferenceView, preferenceViews } from '../emit-context.js'
import type { DerivedTypes } from '../types/value-types.js'
import { builderFunctions, callableFunctions } from './callable-functions.js'

/**
 * What endpoints allow of the query language, as `templates/partials/query-type.hbs` shows it. Each member is a type. An empty
 * one allows nothing and is omitted.
 */
interface QueryTypeText {
  readonly options: string
  readonly filter: string
  readonly unfilterable: string
  readonly through: string
  readonly orderby: string
  readonly expand: string
  readonly search: string
  readonly numbers: string
  readonly transformations: string
  readonly groupable: string
  readonly aggregatable: string
  readonly nested: string
  readonly prefer: readonly PreferenceView[]
}

interface QueryTypeView extends QueryTypeText {
  readonly docs: readonly string[]
  readonly name: string
  readonly isEmpty: boolean
}

/** The types of queries that a client declares, each once, however many endpoints share it. */
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
  /** The types that were requested, in that order, and then the types that these refer to. */
  views(): readonly QueryTypeView[]
}

/** @param derived the base types, and the types that derive from them */
export function queryTypes(derived: DerivedTypes<EntityType>, file: CodeFile): QueryTypes {
  const requested: QueryTypeView[] = []
  const nested: QueryTypeView[] = []
  const known = new Map<string, string>()
  const noQuery = file.scope.claim('NoQuery', '_')
  let usesNoQuery = false

  /** Declares a type, unless an equal one is declared for the same purpose. */
  const declare = (
    text: QueryTypeText,
    purpose: string,
    [preferred, otherwise]: readonly [string, string],
    docs: string,
    into: QueryTypeView[],
  ): string => {
    const content = JSON.stringify([purpose, text])
    const declared = known.get(content)
    if (declared !== undefined) return declared
    const name = file.scope.claim(file.scope.taken.has(preferred) ? otherwise : preferred, '_')
    known.set(content, name)
    into.push({ docs: [docs], name, isEmpty: false, ...text })
    return name
  }
  /** The type of the options for expanded items at a depth; empty when they take none. */
  const nestedName = (query: QueryCapabilities, depth: number): string => {
    const { support, nested: options } = query.expand
    if (support === 'none' || options.length === 0) return ''
    const deeper = expandsFrom(query, depth) ? nestedName(query, depth + 1) : ''
    const text = nestedQueryText(query, depth, deeper, derived.size > 0, file)
    if (options.length === 1 && options[0] === 'select') {
      return declare(text, '', ['SelectOnly', 'SelectOnlyQuery'], '`select` only.', nested)
    }
    const name = `${typeIdentifier(query.name)}Expanded${depth === 1 ? '' : depth}`
    return declare(
      text,
      '',
      [name, `${name}Query`],
      `The options that ${query.name} allows for expanded items.`,
      nested,
    )
  }

  return {
    nameOf(query, type, preferences, endpoint) {
      if (query === undefined && preferences.length === 0) {
        usesNoQuery = true
        return noQuery
      }
      if (query === undefined) {
        const name = `${endpoint}Query`
        return declare(
          { ...nothing, prefer: preferenceViews(preferences) },
          'preferences',
          [name, name],
          'Preferences only.',
          requested,
        )
      }
      const text = queryTypeText(query, type, preferences, nestedName(query, 1), derived.get(type) ?? [], file)
      const description = query.description === undefined ? query.name : `${query.name}: ${query.description}`
      const docs = annotatedDocs({ ...query, description }).join('')
      const name = typeIdentifier(query.name) || endpoint
      return declare(text, query.name, [name, `${endpoint}Query`], docs, requested)
    },
    views: () => [
      ...requested,
      ...nested,
      ...(usesNoQuery ? [{ docs: ['No query options.'], name: noQuery, isEmpty: true, ...nothing }] : []),
    ],
  }
}

const nothing: QueryTypeText = {
  options: '',
  filter: '',
  unfilterable: '',
  through: '',
  orderby: '',
  expand: '',
  search: '',
  numbers: '',
  transformations: '',
  groupable: '',
  aggregatable: '',
  nested: '',
  prefer: [],
}

const optionNames = ['select', 'filter', 'orderby', 'expand', 'top', 'skip', 'count', 'search'] as const

/** The options inside `$expand`. */
const nestedOptionNames = [...optionNames, 'compute', 'levels'] as const

/** What the query options of an endpoint allow on items of a type. */
function queryTypeText(
  query: QueryCapabilities,
  type: EntityType,
  preferences: readonly Preference[],
  nested: string,
  derived: readonly EntityType[],
  file: CodeFile,
): QueryTypeText {
  const options = optionNames.filter(name => supportOf(query[name]) !== 'none')
  const given = memberTexts(options)
  return {
    options: literals(options),
    filter: literals([...(options.includes('filter') ? builderMembers(query.filter) : []), ...arithmeticOf(query)]),
    unfilterable: given('filter', () =>
      [
        literals(namesWhere(query.filter.properties, entry => supportOf(entry) === 'none')),
        derived.length > 0 && !casts(query) ? anyCast : '',
      ]
        .filter(text => text !== '')
        .join(' | '),
    ),
    through: given('filter', () => literals(relationsInFilters(query, type))),
    orderby: given('orderby', () => orderbyText(query, type, derived)),
    expand: given('expand', () => {
      const names = namesWhere(query.expand.relations, support => support !== 'none')
      const behindCasts = derived.flatMap(({ qualifiedName, navigation }) =>
        navigation
          .filter(({ name }) => names.includes(name) && !type.navigation.some(own => own.name === name))
          .map(({ name }) => `${qualifiedName}/${name}`),
      )
      return literals([...names, ...behindCasts])
    }),
    search: given('search', () => searchText(query, file)),
    ...expressionTexts(query, file),
    nested,
    prefer: preferenceViews(preferences),
  }
}

/** What expanded items at a depth allow. */
function nestedQueryText(
  query: QueryCapabilities,
  depth: number,
  nested: string,
  hasDerivedTypes: boolean,
  file: CodeFile,
): QueryTypeText {
  const deeper = expandsFrom(query, depth)
  const options = nestedOptionNames.filter(name => {
    if (name === 'expand') return deeper
    if (name === 'compute' && !computes(query)) return false
    return query.expand.nested.includes(name) && (name !== 'levels' || depth < query.expand.maxDepth)
  })
  const given = memberTexts(options)
  return {
    ...nothing,
    options: literals(options),
    filter: literals([
      ...(options.includes('filter') ? builderMembers(query.filter) : []),
      ...(options.includes('compute') ? arithmeticOf(query) : []),
    ]),
    unfilterable: given('filter', () => (hasDerivedTypes && !casts(query) ? anyCast : '')),
    orderby: given('orderby', () => 'string'),
    expand: given('expand', () => 'string'),
    search: given('search', () => searchText(query, file)),
    numbers: options.includes('compute') ? numbersText(file) : '',
    nested,
  }
}

/** The type of all paths behind casts. */
const anyCast = `\`\${string}/\${string}\``

/** Whether filters of an endpoint can contain casts to derived types. */
export const casts = ({ filter }: QueryCapabilities): boolean =>
  filter.support !== 'none' && supportedIn(filter.functions)('cast')

/** Whether reads of an endpoint can compute properties. */
export const computes = (query: QueryCapabilities | undefined): boolean =>
  query?.compute !== undefined && query.compute !== 'none'

/** Whether lists of an endpoint can be transformed. */
export const aggregates = (query: QueryCapabilities | undefined): boolean =>
  query?.apply !== undefined && query.apply.support !== 'none'

const arithmetic = ['add', 'sub', 'mul', 'div', 'divby', 'mod']

/** The arithmetic of computed values. A filter has no members for it. */
const arithmeticOf = (query: QueryCapabilities): readonly string[] =>
  computes(query) || aggregates(query) ? arithmetic.filter(supportedIn(query.filter.operators)) : []

const numbersText = ({ names: { exactNumbers } }: CodeFile): string =>
  ({ number: 'number', string: 'string | number', bigint: 'string | number | bigint' })[exactNumbers]

/** What computed properties and transformations can be. */
function expressionTexts(
  query: QueryCapabilities,
  file: CodeFile,
): Pick<QueryTypeText, 'numbers' | 'transformations' | 'groupable' | 'aggregatable'> {
  const { apply } = query
  const numbers = computes(query) || aggregates(query) ? numbersText(file) : ''
  if (apply === undefined || !aggregates(query))
    return { numbers, transformations: '', groupable: '', aggregatable: '' }
  return {
    numbers,
    transformations: literals(transformationMembers(apply)),
    groupable: apply.groupable === undefined ? 'string' : literals(apply.groupable),
    aggregatable: apply.aggregatable === undefined ? 'string' : literals(apply.aggregatable),
  }
}

/** The members of the client's builder of transformations. A search has none. */
const transformationNames: Readonly<Record<string, string>> = {
  filter: 'filter',
  compute: 'compute',
  aggregate: 'aggregate',
  groupby: 'groupBy',
  concat: 'concat',
  orderby: 'orderby',
  top: 'top',
  skip: 'skip',
  topcount: 'topCount',
  topsum: 'topSum',
  toppercent: 'topPercent',
  bottomcount: 'bottomCount',
  bottomsum: 'bottomSum',
  bottompercent: 'bottomPercent',
}

const transformationMembers = ({ transformations, rollup }: ApplyCapabilities): readonly string[] => [
  ...transformations.flatMap(name => transformationNames[name] ?? []),
  ...(rollup && transformations.includes('groupby') ? ['rollup'] : []),
]

/** The text of a member, if its option is offered. */
const memberTexts =
  (options: readonly string[]) =>
  (name: (typeof optionNames)[number], text: () => string): string =>
    options.includes(name) ? text() : ''

/** Whether expanded items at a depth may expand in turn. */
const expandsFrom = ({ expand }: QueryCapabilities, depth: number): boolean =>
  expand.nested.includes('expand') && depth < expand.maxDepth

const supportOf = (entry: Support | { readonly support: Support }): Support =>
  typeof entry === 'string' ? entry : entry.support

const literals = (names: readonly string[]): string => (names.length === 0 ? '' : literalUnion(names))

const namesWhere = <Entry>(
  entries: Readonly<Record<string, Entry>>,
  holds: (entry: Entry) => boolean,
): readonly string[] => Object.entries(entries).flatMap(([name, entry]) => (holds(entry) ? [name] : []))

/** A filter may only lead through the navigation properties that the capabilities name. */
function relationsInFilters({ filter }: QueryCapabilities, type: EntityType): readonly string[] {
  const named = new Set(
    namesWhere(filter.properties, entry => supportOf(entry) !== 'none').map(path => path.split('/')[0]),
  )
  return type.navigation.map(({ name }) => name).filter(name => named.has(name))
}

function orderbyText({ orderby }: QueryCapabilities, type: EntityType, derived: readonly EntityType[]): string {
  const refused = namesWhere(orderby.properties, support => support === 'none')
  if (orderby.only === undefined && refused.length === 0) return 'string'
  const isRefused = (path: string): boolean => refused.some(name => path === name || path.startsWith(`${name}/`))
  const isOffered = (path: string): boolean => orderby.only?.includes(path) ?? !isRefused(path)
  const own = sortablePaths(type, 1)
  const behindCasts = derived.flatMap(below =>
    sortablePaths(below, 1)
      .filter(path => isOffered(path) && !own.includes(path))
      .map(path => `${below.qualifiedName}/${path}`),
  )
  return literals([...(orderby.only ?? own.filter(isOffered)), ...behindCasts])
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

/** Streams and geographic values have no order. */
const isUnordered = (type: ValueType): boolean => type.kind === 'primitive' && /^(?:Stream|Geo)/.test(type.name)

function searchText({ search }: QueryCapabilities, file: CodeFile): string {
  if (search.syntax === 'words') return file.runtime('SearchWords')
  return `${file.runtime('SearchTerms')}<${literalUnion(search.properties)}>`
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
