import { type AnnotationValue, isRecord, memberOf, numberOf, recordsOf, textOf, textsOf } from '../csdl/csdl-element.js'

/** Looks up a term of the Capabilities vocabulary: `TopSupported`. */
export type RestrictionSource = (term: string) => AnnotationValue | undefined

/** The restrictions of a collection or item; by default, everything is allowed. @see Capabilities vocabulary */
export interface Restrictions {
  readonly readable: boolean
  readonly readableByKey: boolean
  readonly insertable: boolean
  readonly updatable: boolean
  readonly updateMethods: readonly ('patch' | 'put')[]
  readonly deletable: boolean
  readonly countable: boolean
  readonly tracksChanges: boolean
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
  const levels = numberOf(memberOf(get('ExpandRestrictions'), 'MaxLevels'))
  return {
    readable,
    readableByKey: (typeof byKeyStated === 'boolean' ? byKeyStated : readable) && get('IndexableByKey') !== false,
    insertable: holds('InsertRestrictions', 'Insertable'),
    updatable: holds('UpdateRestrictions', 'Updatable'),
    updateMethods: updateMethods(method),
    deletable: holds('DeleteRestrictions', 'Deletable'),
    countable: holds('CountRestrictions', 'Countable'),
    tracksChanges: holds('ChangeTracking', 'Supported'),
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
