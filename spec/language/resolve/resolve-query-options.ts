import { transformationNames } from '../../../runtime/query/index.js'
import type {
  ApplyDocument,
  ConditionDocument,
  ExpandDocument,
  FilterDocument,
  OrderbyDocument,
  QueryOptionsDocument,
  SearchDocument,
  SupportWord,
  TopDocument,
} from '../document.js'
import type {
  ApplyCapabilities,
  Condition,
  ErrorDefinition,
  ExpandCapabilities,
  FilterCapabilities,
  OpenChoice,
  OrderbyCapabilities,
  QueryCapabilities,
  SearchCapabilities,
  Support,
  TopCapabilities,
} from '../model/service.js'
import { derivesFrom, type EntityType } from '../model/types.js'
import { record } from '../record.js'
import { pointerTo } from '../source/json-pointer.js'
import { type Draft, type Resolution, resolveReference } from './resolution.js'
import { builtInError } from './resolve-errors.js'

/** The query options of a service, and the types of the items that each is used for. */
export interface QueryOptionsTable {
  /** The options that an endpoint names, or that are written there. */
  readonly use: (
    query: string | QueryOptionsDocument,
    endpoint: string,
    at: string,
    type: EntityType | undefined,
  ) => QueryCapabilities | undefined
  /** All options, with the defaults that depend on the types, once every endpoint has been seen. */
  readonly complete: (entityTypes: readonly EntityType[]) => readonly QueryCapabilities[]
}

interface Entry extends PendingCapabilities {
  readonly types: Set<EntityType>
}

/** Resolves the chapter `queryOptions`. */
export function queryOptionsTable(resolution: Resolution, references: QueryReferences): QueryOptionsTable {
  const entries: Entry[] = []
  const named = new Map<string, Entry>()
  const add = (name: string, document: QueryOptionsDocument, pointer: string): Entry => {
    const entry = {
      ...resolveQueryCapabilities(resolution, name, document, pointer, references),
      types: new Set<EntityType>(),
    }
    entries.push(entry)
    return entry
  }
  for (const [name, document] of Object.entries(resolution.document.queryOptions ?? {})) {
    named.set(name, add(name, document, pointerTo('/queryOptions', name)))
  }
  return {
    use: (query, endpoint, at, type) => {
      const entry =
        typeof query === 'string'
          ? resolveReference(resolution, {
              kind: 'query options',
              name: query,
              at,
              chapter: '/queryOptions',
              known: named,
            })
          : add(endpoint, query, at)
      if (type) entry?.types.add(type)
      return entry?.capabilities
    },
    complete: all =>
      entries.map(({ capabilities, applyTypeDefaults, types }) => {
        applyTypeDefaults(types, all)
        return capabilities
      }),
  }
}

/** What query options refer to. */
interface QueryReferences {
  readonly errors: ReadonlyMap<string, ErrorDefinition>
  readonly open: ReadonlyMap<string, OpenChoice>
  readonly scopes: ReadonlyMap<string, object>
}

/** Capabilities whose defaults depend on the types they are used for, which are known when all endpoints are. */
interface PendingCapabilities {
  readonly capabilities: QueryCapabilities
  /** Fills in what depends on the types of the items that the options are used for. */
  readonly applyTypeDefaults: (types: Iterable<EntityType>, all: readonly EntityType[]) => void
}

const defaultOperators = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'and', 'or', 'not']

/** Resolves one set of query options. */
function resolveQueryCapabilities(
  resolution: Resolution,
  name: string,
  document: QueryOptionsDocument,
  pointer: string,
  references: QueryReferences,
): PendingCapabilities {
  const note = (
    part: SupportWord | FilterDocument | OrderbyDocument | TopDocument | ApplyDocument | undefined,
    key: string,
  ): void => {
    if (typeof part === 'object') resolution.annotations(part, `${pointer}/${key}`)
  }
  for (const key of ['filter', 'orderby', 'expand', 'top', 'search', 'apply'] as const) note(document[key], key)
  checkExpandScopes(resolution, document.expand, `${pointer}/expand`, references)
  const capabilities: Draft<QueryCapabilities> = {
    ...resolution.annotations(document, pointer),
    name,
    select: supportOf(document.select, 'none'),
    filter: filterCapabilities(document.filter),
    orderby: orderbyCapabilities(document.orderby),
    expand: expandCapabilities(document.expand, []),
    top: topCapabilities(document.top, references.open.has('topAboveMaximum') ? 'open' : 'error'),
    skip: supportOf(document.skip, 'none'),
    count: supportOf(document.count, 'none'),
    ...(document.compute === undefined ? {} : { compute: supportOf(document.compute, 'none') }),
    ...(document.apply === undefined ? {} : { apply: applyCapabilities(document.apply) }),
    search: searchCapabilities(document.search, []),
    requires: (document.requires ?? []).flatMap(
      (condition, index) => resolveCondition(resolution, condition, `${pointer}/requires/${index}`, references) ?? [],
    ),
  }
  return {
    capabilities,
    applyTypeDefaults: (used, all) => {
      const types = [...used]
      // Items can be of derived types. A query reaches their relations through casts.
      const derived = all.filter(each => types.some(type => derivesFrom(each, type)))
      capabilities.expand = expandCapabilities(document.expand, [
        ...new Set([...types, ...derived].flatMap(type => type.navigation.map(relation => relation.name))),
      ])
      capabilities.search = searchCapabilities(
        document.search,
        types.flatMap(type => type.properties.flatMap(({ name: of, search }) => (search === 'none' ? [] : [of]))),
      )
    },
  }
}

function checkExpandScopes(
  resolution: Resolution,
  document: QueryOptionsDocument['expand'],
  pointer: string,
  { scopes: known }: QueryReferences,
): void {
  if (typeof document !== 'object') return
  for (const [relation, names] of Object.entries(document.scopes ?? {})) {
    for (const [index, name] of names.entries()) {
      const at = `${pointerTo(`${pointer}/scopes`, relation)}/${index}`
      resolveReference(resolution, { kind: 'scope', name, at, chapter: '/authentication/scopes', known })
    }
  }
}

type Words = readonly string[] | Readonly<Record<string, SupportWord>>

/** A list makes each word optional, a map gives each its own support. */
function supports(words: Words, nameOf: (word: string) => string = word => word): Readonly<Record<string, Support>> {
  return isList(words)
    ? record(words.map(word => [nameOf(word), 'optional']))
    : record(Object.entries(words).map(([word, support]) => [nameOf(word), supportOf(support, 'optional')]))
}

const isList = (words: readonly string[] | object): words is readonly string[] => Array.isArray(words)

function filterCapabilities(document: SupportWord | FilterDocument | undefined): FilterCapabilities {
  const written: FilterDocument = typeof document === 'object' ? document : { support: document ?? 'none' }
  const support = supportOf(written.support, 'optional')
  if (support === 'none')
    return { support, operators: record([]), functions: record([]), lambdas: record([]), properties: record([]) }
  return {
    support,
    operators: supports(written.operators ?? record(defaultOperators.map(operator => [operator, support]))),
    functions: supports(written.functions ?? [], functionName),
    lambdas: supports(written.lambdas ?? []),
    properties: record(
      Object.entries(written.properties ?? {}).map(([path, property]) => {
        if (typeof property !== 'object') return [path, { support: supportOf(property, 'optional') }]
        const { support: word, operators, functions } = property
        return [
          path,
          {
            support: supportOf(word, support),
            ...(operators === undefined ? {} : { operators }),
            ...(functions === undefined ? {} : { functions: functions.map(functionName) }),
          },
        ]
      }),
    ),
    ...(written.maxNodes === undefined ? {} : { maxNodes: written.maxNodes }),
  }
}

function orderbyCapabilities(document: SupportWord | OrderbyDocument | undefined): OrderbyCapabilities {
  const written: OrderbyDocument = typeof document === 'object' ? document : { support: document ?? 'none' }
  const { properties = 'all', maxKeys } = written
  const only = typeof properties !== 'string' && isList(properties) ? properties : undefined
  return {
    support: supportOf(written.support, 'optional'),
    ...(only === undefined ? {} : { only }),
    properties: typeof properties === 'string' || isList(properties) ? record([]) : supports(properties),
    ...(maxKeys === undefined ? {} : { maxKeys }),
  }
}

function expandCapabilities(
  document: SupportWord | ExpandDocument | undefined,
  all: readonly string[],
): ExpandCapabilities {
  if (typeof document !== 'object') {
    const support = supportOf(document, 'none')
    const relations = record(support === 'none' ? [] : all.map(name => [name, support] as const))
    return { support, relations, ...(support === 'none' ? {} : { every: true }), maxDepth: 1, nested: ['select'] }
  }
  const { support, relations = all, maxDepth = 1, nested = ['select'], scopes } = document
  return {
    support: supportOf(support, 'optional'),
    relations: supports(relations),
    ...(document.relations === undefined ? { every: true } : {}),
    maxDepth,
    nested,
    ...(scopes === undefined ? {} : { scopes: record(Object.entries(scopes)) }),
  }
}

function topCapabilities(
  document: SupportWord | TopDocument | undefined,
  defaultAbove: TopCapabilities['above'],
): TopCapabilities {
  const written: TopDocument = typeof document === 'object' ? document : { support: document ?? 'none' }
  const { support, above = defaultAbove, min = 0, default: pageSize, max } = written
  return {
    support: supportOf(support, 'optional'),
    above,
    min,
    ...(pageSize === undefined ? {} : { default: pageSize }),
    ...(max === undefined ? {} : { max }),
  }
}

function applyCapabilities(document: SupportWord | ApplyDocument): ApplyCapabilities {
  const written: ApplyDocument = typeof document === 'object' ? document : { support: document }
  const { transformations = transformationNames, rollup = true, groupable, aggregatable } = written
  return {
    support: supportOf(written.support, 'optional'),
    transformations,
    rollup,
    ...(groupable === undefined ? {} : { groupable }),
    ...(aggregatable === undefined ? {} : { aggregatable }),
  }
}

function searchCapabilities(
  document: SupportWord | SearchDocument | undefined,
  searchable: readonly string[],
): SearchCapabilities {
  const written: SearchDocument = typeof document === 'object' ? document : { support: document ?? 'none' }
  const support = supportOf(written.support, 'optional')
  const { syntax = 'words', properties = support === 'none' ? [] : [...new Set(searchable)] } = written
  const join = written.join ?? (syntax === 'words' ? ['AND', 'OR', 'NOT'] : ['OR'])
  return { support, syntax, join, properties }
}

function resolveCondition(
  resolution: Resolution,
  document: ConditionDocument,
  pointer: string,
  { errors, open }: QueryReferences,
): Condition | undefined {
  const otherwise = resolveReference(resolution, {
    kind: 'error',
    name: document.otherwise,
    at: `${pointer}/otherwise`,
    chapter: '/errors',
    known: errors,
  })
  const choice =
    document.open === undefined
      ? undefined
      : resolveReference(resolution, {
          kind: 'choice',
          name: document.open,
          at: `${pointer}/open`,
          chapter: '/open',
          known: open,
        })
  const [header] = Object.entries(document.header)
  if (header === undefined) return undefined
  return {
    ...resolution.annotations(document, pointer),
    when: document.when.map(constructs => constructs.split('+').map(constructName)),
    header: { name: header[0], value: header[1] },
    otherwise: otherwise ?? builtInError('unsupportedQueryOption'),
    ...(choice === undefined ? {} : { open: choice }),
  }
}

/** `filter.startsWith` -> `filter.startswith`. */
function constructName(text: string): string {
  const construct = text.trim()
  return construct.startsWith('filter.') ? `filter.${functionName(construct.slice('filter.'.length))}` : construct
}

/** What a word of support means. */
export function supportOf(word: SupportWord | undefined, absent: Support): Support {
  if (word === undefined) return absent
  if (word === true) return 'optional'
  return word === false ? 'none' : word
}

/** Canonical functions are the same in any letter case; the service's own, which are qualified, are not. */
export function functionName(name: string): string {
  return name.includes('.') && !/^geo\./i.test(name) ? name : name.toLowerCase()
}
