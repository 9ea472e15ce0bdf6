import type { AspectGroup, Endpoint, ReadEndpoint, Service } from '../../spec/language/index.js'

/** The aspect that an endpoint exists for. An endpoint counts as checked if this aspect was checked there. */
export function mainAspect({ kind }: Endpoint): AspectGroup {
  switch (kind) {
    case 'collection':
    case 'item':
      return 'read'
    case 'readStream':
      return 'read'
    case 'createMedia':
      return 'create'
    case 'replaceStream':
    case 'deleteStream':
    case 'replace':
      return 'update'
    case 'call':
      return 'operations'
    default:
      return kind
  }
}

/**
 * The aspects that the spec declares for an endpoint. The filter of a count, and the options of a delta query or an
 * operation, are parts of its main aspect.
 */
export function declaredAspects(
  endpoint: Endpoint,
  { authentication }: Pick<Service, 'authentication'>,
): ReadonlySet<AspectGroup> {
  const found = new Set<AspectGroup>([mainAspect(endpoint)])
  if (endpoint.kind === 'collection' || endpoint.kind === 'item') {
    for (const group of queryAspects(endpoint)) found.add(group)
  }
  if (hasPreconditions(endpoint)) found.add('preconditions')
  if (endpoint.preferences.length > 0) found.add('preferences')
  if (endpoint.errors.length > 0 || endpoint.keys.length > 0 || 'query' in endpoint) found.add('errors')
  if (authentication.scheme !== 'none') found.add('authentication')
  return found
}

function queryAspects({ kind, query }: ReadEndpoint): readonly AspectGroup[] {
  if (query === undefined) return []
  const { filter, orderby, select, expand, top, skip, count, search } = query
  const ofItems: readonly (readonly [AspectGroup, boolean])[] = [
    ['select', select !== 'none'],
    ['expand', expand.support !== 'none'],
  ]
  const ofCollections: readonly (readonly [AspectGroup, boolean])[] = [
    ['filter', filter.support !== 'none'],
    ['order', orderby.support !== 'none'],
    ['paging', top.support !== 'none' || skip !== 'none'],
    ['count', count !== 'none'],
    ['search', search.support !== 'none'],
  ]
  const declared = kind === 'collection' ? [...ofItems, ...ofCollections] : ofItems
  return declared.flatMap(([group, isDeclared]) => (isDeclared ? [group] : []))
}

function hasPreconditions(endpoint: Endpoint): boolean {
  if ('ifMatch' in endpoint) return endpoint.ifMatch !== 'none'
  return 'ifNoneMatch' in endpoint && endpoint.ifNoneMatch !== 'none'
}

/** Whether checking an endpoint may change data. An action whose meaning the spec states as a query changes nothing. */
export function mayWrite(endpoint: Endpoint): boolean {
  if (endpoint.kind === 'call') return endpoint.operation.kind === 'action' && endpoint.operation.meaning === undefined
  return endpoint.method !== 'GET'
}
