import { type QueryOptionsDocument, record, transformationNames } from '../../../spec/language/index.js'
import { type AnnotationValue, isRecord, memberOf, numberOf, recordsOf, textOf, textsOf } from '../csdl/csdl-element.js'
import { compact } from '../spec-document.js'

/** Looks up a term of the Capabilities vocabulary, `TopSupported`, or of another one, `Aggregation.ApplySupported`. */
export type RestrictionSource = (term: string) => AnnotationValue | undefined

/** The name of a term with that of its vocabulary, which is Capabilities by default. */
export const capabilityTerm = (term: string): string => (term.includes('.') ? term : `Capabilities.${term}`)

/** The restrictions of a collection or item; by default, everything is allowed. @see Capabilities vocabulary */
export interface Restrictions {
  readonly readable: boolean
  readonly readableByKey: boolean
  readonly insertable: boolean
  readonly updatable: boolean
  readonly updateMethods: readonly ('patch' | 'put')[]
  /** Whether an update creates an item that does not exist. Absent: the metadata do not say. */
  readonly upsertable: boolean | undefined
  readonly deletable: boolean
  readonly countable: boolean
  /** Absent: the metadata do not say. */
  readonly tracksChanges: boolean | undefined
  readonly navigable: boolean
  readonly select: boolean
  readonly top: boolean
  readonly skip: boolean
  readonly filter: boolean
  readonly nonFilterable: readonly string[]
  /** Absent: all. */
  readonly filterFunctions: readonly string[] | undefined
  readonly sort: boolean
  readonly nonSortable: readonly string[]
  readonly search: boolean
  readonly unsearchable: readonly string[]
  readonly expand: boolean
  readonly nonExpandable: readonly string[]
  readonly maxLevels: number | undefined
  /** What the metadata say about `$apply`. Absent: nothing, so that it is not supported. */
  readonly apply: QueryOptionsDocument['apply'] | undefined
  readonly scopes: { readonly [Verb in 'read' | 'readByKey' | 'insert' | 'update' | 'delete']: readonly string[] }
}

/** What annotations restrict. @param sources their places, the nearest first */
export function restrictionsOf(sources: readonly RestrictionSource[]): Restrictions {
  const get: RestrictionSource = term => {
    for (const source of sources) {
      const value = source(term)
      if (value !== undefined) return value
    }
    return undefined
  }
  const holds = (term: string, member: string): boolean => memberOf(get(term), member) !== false
  const texts = (term: string, member: string): readonly string[] => textsOf(memberOf(get(term), member)) ?? []
  const scopes = (value: AnnotationValue | undefined): readonly string[] => scopesOf(memberOf(value, 'Permissions'))
  const byKey = memberOf(get('ReadRestrictions'), 'ReadByKeyRestrictions')
  const readable = holds('ReadRestrictions', 'Readable')
  const byKeyStated = memberOf(byKey, 'Readable')
  const method = textOf(memberOf(get('UpdateRestrictions'), 'UpdateMethod'))
  const upsertable = memberOf(get('UpdateRestrictions'), 'Upsertable')
  const levels = numberOf(memberOf(get('ExpandRestrictions'), 'MaxLevels'))
  return {
    readable,
    readableByKey: (typeof byKeyStated === 'boolean' ? byKeyStated : readable) && get('IndexableByKey') !== false,
    insertable: holds('InsertRestrictions', 'Insertable'),
    updatable: holds('UpdateRestrictions', 'Updatable'),
    updateMethods: updateMethods(method),
    upsertable: upsertable === undefined ? undefined : upsertable !== false,
    deletable: holds('DeleteRestrictions', 'Deletable'),
    countable: holds('CountRestrictions', 'Countable'),
    tracksChanges: get('ChangeTracking') === undefined ? undefined : holds('ChangeTracking', 'Supported'),
    navigable: textOf(memberOf(get('NavigationRestrictions'), 'Navigability')) !== 'None',
    select: holds('SelectSupport', 'Supported'),
    top: get('TopSupported') !== false,
    skip: get('SkipSupported') !== false,
    filter: holds('FilterRestrictions', 'Filterable'),
    nonFilterable: texts('FilterRestrictions', 'NonFilterableProperties'),
    filterFunctions: textsOf(get('FilterFunctions')),
    sort: holds('SortRestrictions', 'Sortable'),
    nonSortable: texts('SortRestrictions', 'NonSortableProperties'),
    search: holds('SearchRestrictions', 'Searchable'),
    unsearchable: (textOf(memberOf(get('SearchRestrictions'), 'UnsupportedExpressions')) ?? '').split(','),
    expand: holds('ExpandRestrictions', 'Expandable'),
    nonExpandable: texts('ExpandRestrictions', 'NonExpandableProperties'),
    // A negative number is not a limit.
    maxLevels: levels !== undefined && levels > 0 ? levels : undefined,
    apply: applyOptions(get('Aggregation.ApplySupported') ?? get('Aggregation.ApplySupportedDefaults')),
    scopes: {
      read: scopes(get('ReadRestrictions')),
      readByKey: isRecord(byKey) && byKey.members.has('Permissions') ? scopes(byKey) : scopes(get('ReadRestrictions')),
      insert: scopes(get('InsertRestrictions')),
      update: scopes(get('UpdateRestrictions')),
      delete: scopes(get('DeleteRestrictions')),
    },
  }
}

/** Whether metadata says that a relation takes new items. Without that word, only contained relations do. */
export function isInsertable(sources: readonly RestrictionSource[]): boolean {
  return (
    sources.map(source => memberOf(source('InsertRestrictions'), 'Insertable')).find(stated => stated !== undefined) ===
    true
  )
}

/** The scopes of all permissions: a caller needs one of them. */
export function scopesOf(permissions: AnnotationValue | undefined): readonly string[] {
  const scopes = recordsOf(permissions).flatMap(permission => {
    memberOf(permission, 'SchemeName')
    return recordsOf(memberOf(permission, 'Scopes')).flatMap(scope => textOf(memberOf(scope, 'Scope')) ?? [])
  })
  return [...new Set(scopes.filter(scope => isScope.test(scope)))]
}

/** @see RFC 6749, 3.3 (scope token) */
const isScope = /^[!#-[\]-~]+$/

function updateMethods(method: string | undefined): readonly ('patch' | 'put')[] {
  const methods = (method ?? 'PATCH')
    .split(',')
    .flatMap(word => (word === 'PUT' ? 'put' : word === 'PATCH' ? 'patch' : []))
  return methods.length === 0 ? ['patch'] : methods
}

/** Query options by name. Endpoints share equal ones. */
export interface QueryTable {
  readonly collection: (restrictions: Restrictions, relations: readonly string[], name: string) => string | undefined
  readonly item: (restrictions: Restrictions, relations: readonly string[], name: string) => string | undefined
  readonly count: (restrictions: Restrictions, name: string) => string | undefined
  /** All of them, by their final names. */
  readonly all: () => Readonly<Record<string, QueryOptionsDocument>>
  /** Names that change in the end: shared options are not named after the first of their endpoints. */
  readonly finalNames: () => ReadonlyMap<string, string>
}

/** The canonical functions that services of OData 4 usually have. */
const functions = [
  ...['contains', 'startswith', 'endswith', 'length', 'indexof', 'substring', 'tolower', 'toupper', 'trim', 'concat'],
  ...['year', 'month', 'day', 'hour', 'minute', 'second', 'date', 'time', 'now', 'round', 'floor', 'ceiling'],
]

const operators = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'has', 'and', 'or', 'not']

export function queryTable(): QueryTable {
  const names = new Map<string, string>()
  const documents = new Map<string, QueryOptionsDocument>()
  /** The options that several endpoints share, with their usual names. */
  const shared = new Map<string, string>()
  const nameFor = (document: QueryOptionsDocument, usual: string, name: string): string | undefined => {
    if (Object.keys(document).length === 0) return undefined
    const content = JSON.stringify(document)
    const known = names.get(content)
    if (known !== undefined) {
      if (known !== usual) shared.set(known, usual)
      return known
    }
    let own = isUnrestricted(content, usual) ? usual : name
    while (documents.has(own)) own += '_'
    names.set(content, own)
    documents.set(own, document)
    return own
  }
  const renamed = (): ReadonlyMap<string, string> => {
    const taken = new Set(documents.keys())
    return new Map(
      [...shared].map(([name, like]) => {
        let number = 2
        while (taken.has(`${like}${number}`)) number++
        taken.add(`${like}${number}`)
        return [name, `${like}${number}`]
      }),
    )
  }
  return {
    collection: (restrictions, relations, name) =>
      nameFor(collectionOptions(restrictions, relations), 'collection', name),
    item: (restrictions, relations, name) => nameFor(itemOptions(restrictions, relations), 'item', `${name}.item`),
    count: (restrictions, name) =>
      nameFor(
        compact({ filter: filterOptions(restrictions), search: searchOptions(restrictions) }),
        'countOnly',
        `${name}.count`,
      ),
    all: () => {
      const names = renamed()
      return record([...documents].map(([name, document]) => [names.get(name) ?? name, document] as const))
    },
    finalNames: renamed,
  }
}

/** Nothing is restricted. */
const unrestricted: Omit<Restrictions, 'scopes'> = {
  ...{ readable: true, readableByKey: true, insertable: true, updatable: true, updateMethods: ['patch'] },
  ...{
    deletable: true,
    countable: true,
    tracksChanges: undefined,
    navigable: true,
    select: true,
    top: true,
    skip: true,
  },
  ...{ filter: true, nonFilterable: [], filterFunctions: undefined, sort: true, nonSortable: [], search: true },
  ...{ unsearchable: [], expand: true, nonExpandable: [], maxLevels: undefined, apply: undefined },
  upsertable: undefined,
}

type QueryRestrictions = Omit<Restrictions, 'scopes'>

function isUnrestricted(content: string, name: string): boolean {
  const documents: Readonly<Record<string, () => object>> = {
    collection: () => collectionOptions(unrestricted, []),
    item: () => itemOptions(unrestricted, []),
    countOnly: () => compact({ filter: filterOptions(unrestricted), search: searchOptions(unrestricted) }),
  }
  return content === JSON.stringify(documents[name]?.())
}

function collectionOptions(restrictions: QueryRestrictions, relations: readonly string[]): QueryOptionsDocument {
  return compact({
    select: restrictions.select || undefined,
    filter: filterOptions(restrictions),
    orderby: orderbyOptions(restrictions),
    expand: expandOptions(restrictions, relations),
    top: restrictions.top || undefined,
    skip: restrictions.skip || undefined,
    count: restrictions.countable || undefined,
    apply: restrictions.apply,
    search: searchOptions(restrictions),
  })
}

/** `$apply`, with the transformations that the metadata name. @see Aggregation vocabulary, ApplySupported */
function applyOptions(supported: AnnotationValue | undefined): QueryOptionsDocument['apply'] | undefined {
  if (supported === undefined || supported === false) return undefined
  const named = textsOf(memberOf(supported, 'Transformations'))
  const rollup = textOf(memberOf(supported, 'Rollup'))
  const transformations = transformationNames.filter(name => named === undefined || named.includes(name))
  if (transformations.length === 0) return undefined
  if (named === undefined && rollup !== 'None') return true
  return compact({
    transformations: named === undefined ? undefined : transformations,
    rollup: rollup === 'None' ? false : undefined,
  })
}

function itemOptions(restrictions: QueryRestrictions, relations: readonly string[]): QueryOptionsDocument {
  return compact({ select: restrictions.select || undefined, expand: expandOptions(restrictions, relations) })
}

function filterOptions({ filter, nonFilterable, filterFunctions }: QueryRestrictions): QueryOptionsDocument['filter'] {
  if (!filter) return undefined
  return compact({
    operators,
    functions: filterFunctions ?? functions,
    lambdas: ['any', 'all'] as const,
    properties: nonFilterable.length === 0 ? undefined : record(nonFilterable.map(path => [path, 'none'] as const)),
  })
}

function orderbyOptions({ sort, nonSortable }: QueryRestrictions): QueryOptionsDocument['orderby'] {
  if (!sort) return undefined
  return nonSortable.length === 0 ? true : { properties: record(nonSortable.map(path => [path, 'none'] as const)) }
}

/** The number of levels if the metadata sets no limit. */
const defaultExpandDepth = 3

/** The options of related items, besides `$expand` itself. */
const nested = ['select', 'filter', 'orderby', 'top', 'skip', 'count'] as const

function expandOptions(
  { expand, nonExpandable, maxLevels }: QueryRestrictions,
  relations: readonly string[],
): QueryOptionsDocument['expand'] {
  if (!expand) return undefined
  const allowed = relations.filter(name => !nonExpandable.includes(name))
  if (nonExpandable.length > 0 && allowed.length === 0) return undefined
  const maxDepth = maxLevels ?? defaultExpandDepth
  return compact({
    relations: nonExpandable.length === 0 ? undefined : allowed,
    maxDepth: maxDepth === 1 ? undefined : maxDepth,
    nested: [...(maxDepth === 1 ? [] : (['expand'] as const)), ...nested],
  })
}

/** Metadata does not state which properties a search covers. */
function searchOptions({ search, unsearchable }: QueryRestrictions): QueryOptionsDocument['search'] {
  if (!search) return undefined
  const join = (['AND', 'OR', 'NOT'] as const).filter(word => !unsearchable.includes(word))
  return compact({ join: join.length === 3 ? undefined : join, properties: [] })
}
