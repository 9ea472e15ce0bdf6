import {
  type Endpoint,
  isUpsert,
  type QueryCapabilities,
  type ReadEndpoint,
  type Service,
  type Support,
  type UpdateEndpoint,
} from '../../../spec/language/index.js'
import { type AnnotationValue, collectionOf, nonEmptyCollection, recordOf } from './csdl-document.js'

/** Restrictions by term of the Capabilities vocabulary. They are also members of `NavigationPropertyRestriction`. */
type Restrictions = readonly (readonly [term: string, value: AnnotationValue | undefined])[]

/** The restrictions of a collection or item, from its endpoints. */
export function restrictionsOf(endpoints: readonly Endpoint[], service: Service): Restrictions {
  const list = endpoints.find(isOf('collection'))
  const item = endpoints.find(isOf('item'))
  const query = queryOf(list)
  return [
    ...(list === undefined ? [] : collectionRestrictions(query)),
    ['SelectSupport', recordOf([['Supported', isSupported(queryOf(list ?? item)?.select)]])],
    ['ExpandRestrictions', expandRestrictions(list ?? item)],
    ['ReadRestrictions', readRestrictions(list, item)],
    [
      'InsertRestrictions',
      changeRestrictions(
        'Insertable',
        endpoints.filter(({ kind }) => kind === 'create' || kind === 'createMedia'),
      ),
    ],
    ['UpdateRestrictions', updateRestrictions(endpoints, service)],
    [
      'DeleteRestrictions',
      changeRestrictions(
        'Deletable',
        endpoints.filter(({ kind }) => kind === 'delete'),
      ),
    ],
  ]
}

function isOf(kind: ReadEndpoint['kind']) {
  return (endpoint: Endpoint): endpoint is ReadEndpoint => endpoint.kind === kind
}

function queryOf(endpoint: Endpoint | undefined): QueryCapabilities | undefined {
  return endpoint !== undefined && 'query' in endpoint ? endpoint.query : undefined
}

function isSupported(support: Support | undefined): boolean {
  return support !== undefined && support !== 'none'
}

function collectionRestrictions(query: QueryCapabilities | undefined): Restrictions {
  const functions = query?.filter.functions ?? {}
  return [
    ['TopSupported', isSupported(query?.top.support)],
    ['SkipSupported', isSupported(query?.skip)],
    ['FilterFunctions', collectionOf(Object.keys(functions).filter(name => isSupported(functions[name])))],
    ['FilterRestrictions', filterRestrictions(query)],
    ['SortRestrictions', sortRestrictions(query)],
    ['SearchRestrictions', searchRestrictions(query)],
  ]
}

/** `CountRestrictions` is a term only; relations have no member for it. */
export function countRestrictions(endpoints: readonly Endpoint[]): AnnotationValue | undefined {
  const list = endpoints.find(isOf('collection'))
  return list === undefined ? undefined : recordOf([['Countable', isSupported(queryOf(list)?.count)]])
}

/** The transformations of `$apply` on an entity set. @see Aggregation vocabulary, ApplySupported */
export function applySupported(endpoints: readonly Endpoint[]): AnnotationValue | undefined {
  const apply = queryOf(endpoints.find(isOf('collection')))?.apply
  if (apply === undefined || apply.support === 'none') return undefined
  const { transformations, rollup, groupable, aggregatable } = apply
  const members = rollup ? 'SingleHierarchy' : 'None'
  return recordOf([
    ['Transformations', collectionOf(transformations)],
    ['Rollup', { kind: 'EnumMember', type: 'Aggregation.RollupType', members }],
    ['GroupableProperties', groupable === undefined ? undefined : collectionOf(groupable.map(propertyPath))],
    [
      'AggregatableProperties',
      aggregatable === undefined
        ? undefined
        : collectionOf(aggregatable.map(path => recordOf([['Property', propertyPath(path)]]))),
    ],
  ])
}

function filterRestrictions(query: QueryCapabilities | undefined): AnnotationValue {
  const properties = query?.filter.properties ?? {}
  const refused = Object.keys(properties).filter(path => properties[path]?.support === 'none')
  return recordOf([
    ['Filterable', isSupported(query?.filter.support)],
    ['NonFilterableProperties', nonEmptyCollection(refused.map(propertyPath))],
  ])
}

function sortRestrictions(query: QueryCapabilities | undefined): AnnotationValue {
  const properties = query?.orderby.properties ?? {}
  const refused = Object.keys(properties).filter(path => properties[path] === 'none')
  return recordOf([
    ['Sortable', isSupported(query?.orderby.support)],
    ['NonSortableProperties', nonEmptyCollection(refused.map(propertyPath))],
  ])
}

function searchRestrictions(query: QueryCapabilities | undefined): AnnotationValue {
  const search = query?.search
  const refused = ['AND', 'OR', 'NOT'].filter(operator => !search?.join.some(joined => joined === operator))
  const isRestricted = isSupported(search?.support) && refused.length > 0
  return recordOf([
    ['Searchable', isSupported(search?.support)],
    [
      'UnsupportedExpressions',
      isRestricted
        ? { kind: 'EnumMember', type: 'Capabilities.SearchExpressions', members: refused.join(',') }
        : undefined,
    ],
  ])
}

function expandRestrictions(endpoint: ReadEndpoint | undefined): AnnotationValue {
  const expand = endpoint?.query?.expand
  const relations = expand?.relations ?? {}
  const refused = (endpoint?.type.navigation ?? []).filter(
    ({ name }) => !isSupported(Object.hasOwn(relations, name) ? relations[name] : undefined),
  )
  const isExpandable = isSupported(expand?.support)
  return recordOf([
    ['Expandable', isExpandable],
    ['MaxLevels', isExpandable ? expand?.maxDepth : undefined],
    [
      'NonExpandableProperties',
      isExpandable
        ? nonEmptyCollection(refused.map(({ name }) => ({ kind: 'NavigationPropertyPath', path: name })))
        : undefined,
    ],
  ])
}

function readRestrictions(list: ReadEndpoint | undefined, item: ReadEndpoint | undefined): AnnotationValue {
  const first = list ?? item
  return recordOf([
    ['Readable', first !== undefined],
    ['Permissions', permissionsOf(first === undefined ? [] : [first])],
    ['CustomHeaders', conditionHeaders(queryOf(first))],
    [
      'ReadByKeyRestrictions',
      list === undefined
        ? undefined
        : recordOf([
            ['Readable', item !== undefined],
            ['Permissions', permissionsOf(item === undefined ? [] : [item])],
          ]),
    ],
  ])
}

function conditionHeaders(query: QueryCapabilities | undefined): AnnotationValue | undefined {
  const headers = new Map(query?.requires.map(condition => [condition.header.name, condition.header.value]) ?? [])
  return nonEmptyCollection(
    [...headers].map(([name, value]) =>
      recordOf([
        ['Name', name],
        ['Description', 'Needed by some queries.'],
        ['Required', false],
        ['ExampleValues', collectionOf([recordOf([['Value', value]])])],
      ]),
    ),
  )
}

function changeRestrictions(name: 'Insertable' | 'Deletable', endpoints: readonly Endpoint[]): AnnotationValue {
  return recordOf([
    [name, endpoints.length > 0],
    ['Permissions', permissionsOf(endpoints)],
  ])
}

function updateRestrictions(endpoints: readonly Endpoint[], service: Service): AnnotationValue {
  const updates = endpoints.filter((each): each is UpdateEndpoint => each.kind === 'update' || each.kind === 'replace')
  const creates = service.features.upsert === 'required' && updates.some(each => isUpsert(each, service))
  const methods = [...new Set(updates.map(({ method }) => method))].join(',')
  return recordOf([
    ['Updatable', updates.length > 0],
    ['Upsertable', creates ? true : undefined],
    [
      'UpdateMethod',
      methods === '' ? undefined : { kind: 'EnumMember', type: 'Capabilities.HttpMethod', members: methods },
    ],
    ['Permissions', permissionsOf(updates)],
  ])
}

function propertyPath(path: string): AnnotationValue {
  return { kind: 'PropertyPath', path }
}

/**
 * The scopes of endpoints as permissions: a caller needs one of them. Absent if none is needed.
 *
 * @see Capabilities vocabulary, PermissionType
 */
export function permissionsOf(endpoints: readonly Endpoint[]): AnnotationValue | undefined {
  const scopes = [...new Set(endpoints.flatMap(endpoint => endpoint.scopes))]
  if (scopes.length === 0) return undefined
  return collectionOf(
    scopes.map(scope =>
      recordOf([
        ['SchemeName', 'bearer'],
        ['Scopes', collectionOf([recordOf([['Scope', scope]])])],
      ]),
    ),
  )
}
