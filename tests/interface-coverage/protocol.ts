import type { ErrorDefinition, Service } from '../../spec/language/index.js'
import { type Gap, gaps, type InterfaceSection, isQuoted, queryableCollections } from './interface-document.js'

const isUsed: Readonly<Record<string, (service: Service) => boolean>> = {
  ConsistencyLevel: service =>
    service.queryCapabilities.some(({ requires }) =>
      requires.some(({ header }) => header.name === 'ConsistencyLevel' && header.value === 'eventual'),
    ),
  Prefer: service =>
    service.endpoints.some(
      endpoint =>
        (endpoint.kind === 'collection' || endpoint.kind === 'item') &&
        endpoint.type.name === 'message' &&
        endpoint.preferences.some(({ name, values }) => name === 'body-content-type' && values.includes('text')),
    ),
  'If-Match': service =>
    service.endpoints.some(endpoint => endpoint.kind === 'update' && endpoint.ifMatch !== 'none') &&
    service.endpoints.some(endpoint => endpoint.kind === 'delete' && endpoint.ifMatch !== 'none'),
  'If-None-Match': service =>
    service.endpoints.some(endpoint => endpoint.kind === 'item' && endpoint.ifNoneMatch !== 'none'),
}

/** 4.3: an endpoint uses each header, and a clause quotes its row. */
export function checkHeaders(section: InterfaceSection, service: Service): readonly Gap[] {
  return section.rows.flatMap(([name = '', use = '']) =>
    gaps(`${section.number} ${name}`, {
      'no endpoint uses it': !(Object.hasOwn(isUsed, name) && isUsed[name]?.(service)),
      'no clause': !isQuoted(service, section.number, use),
    }),
  )
}

/** 5: clauses quote the bullets, and the service complies; what the interface does not show is assumed. */
export function checkAuthentication(section: InterfaceSection, service: Service): readonly Gap[] {
  const { authentication, endpoints } = service
  return section.bullets.flatMap(bullet =>
    gaps(
      `${section.number} ${bullet}`,
      bullet.endsWith('not shown.')
        ? { 'not assumed': authentication.assumed === undefined }
        : {
            'no clause': !isQuoted(service, section.number, bullet),
            'an endpoint without scopes': endpoints.some(({ scopes }) => scopes.length === 0),
            'not the status': bullet.includes('401') && authentication.missing?.status !== 401,
          },
    ),
  )
}

const errorOf: Readonly<Record<string, (service: Service) => ErrorDefinition | undefined>> = {
  'item does not exist': service => service.faults.itemNotFound,
  'authentication missing or failed': service => service.authentication.missing,
  'advanced query used without ConsistencyLevel header': service =>
    service.queryCapabilities.flatMap(({ requires }) => requires.map(({ otherwise }) => otherwise))[0],
  'filter or other parameter not supported by the endpoint': service => service.faults.unsupportedQueryOption,
}

/** 7: each row is an error with the same status, or any if the interface leaves it open, and a clause quotes it. */
export function checkErrors(section: InterfaceSection, service: Service): readonly Gap[] {
  return section.rows.flatMap(([condition = '', status = '', body = '']) => {
    const error = Object.hasOwn(errorOf, condition) ? errorOf[condition]?.(service) : undefined
    const row = `${section.number} ${condition}`
    if (!error || error.builtIn) return gaps(row, ['no such error'])
    const text = `${condition} | ${status} | ${body}`
    return gaps(row, {
      'no ref': error.ref !== section.number,
      'another status': status === 'error status' ? !error.legal.includes('4xx') : error.status !== Number(status),
      'other statuses are legal': status !== 'error status' && error.legal.length > 0,
      'another message': body.includes('advanced query') && !/advanced query capabilities are not/i.test(error.message),
      'no clause': !service.clauses.some(({ ref, quote }) => ref === section.number && quote.includes(text)),
    })
  })
}

const isLimited: Readonly<Record<string, (service: Service) => boolean>> = {
  '$top maximum': service =>
    queryableCollections(service).every(({ query }) => query.top.max !== undefined && query.top.above === 'open') &&
    queryableCollections(service).some(({ query }) => query.top.max === 999) &&
    service.open.some(({ name }) => name === 'topAboveMaximum'),
  '$expand depth': service =>
    service.limits.expandDepth !== undefined && service.open.some(({ name }) => name === 'expandDepth'),
}

/** 8: each limit has a value, an open choice, and a clause. */
export function checkLimits(section: InterfaceSection, service: Service): readonly Gap[] {
  return section.rows.flatMap(([limit = '', value = '']) =>
    gaps(`${section.number} ${limit}`, {
      'no such limit': !(Object.hasOwn(isLimited, limit) && isLimited[limit]?.(service)),
      'no clause': !isQuoted(service, section.number, value),
    }),
  )
}

/** 9: the version is the path segment in the interface. */
export function checkVersioning(section: InterfaceSection, service: Service): readonly Gap[] {
  return section.bullets.flatMap(bullet => {
    const [, shown] = /\{base_url\}\/(v[\d.]+)\//.exec(bullet) ?? []
    if (shown === undefined) return []
    return gaps(`${section.number} ${shown}`, {
      'another version': service.version !== shown,
      'no clause': !isQuoted(service, section.number, bullet),
    })
  })
}
