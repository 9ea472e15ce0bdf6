import type { Expression, QueryOptions } from '../../runtime/query/index.js'
import { onePerEndpoint, type Site } from '../discover/site.js'
import { joinConditions, pathTo } from '../probes/expressions.js'
import { filterableProperties, quoteString } from '../rule/query-request.js'
import { inconclusiveVerdict, isRejection } from '../rule/response.js'
import { mentionsCondition, triggersOf } from '../rules/advanced-queries/triggers.js'
import { unknownOptionQuery, unknownPropertyQueries, unsupportedQueries } from '../rules/errors/unsupported-option.js'
import type { Session } from '../session/session.js'
import { type Observation, observingCalibrator } from './calibrator.js'

export const unknownOption = observingCalibrator('unknownOption', 'no collection could be queried', async session => {
  const observations: Observation[] = []
  const collections = onePerEndpoint(session.sites).filter(({ endpoint }) => endpoint.kind === 'collection')
  for (const site of collections.slice(0, 2)) {
    const { path } = site
    const response = await session.send({ method: 'GET', path, rawQuery: unknownOptionQuery })
    const shown = response.status === 200 ? 'ignored' : isRejection(response, session) ? 'error' : undefined
    if (shown !== undefined) {
      const evidence = `GET ${path}?${unknownOptionQuery} returned ${response.status}`
      observations.push({ value: shown, evidence, site })
    }
  }
  return observations
})

export const unknownProperty = observingCalibrator(
  'unknownProperty',
  'no collection could be queried',
  async session => {
    const observations: Observation[] = []
    const collections = onePerEndpoint(session.sites).filter(({ endpoint }) => endpoint.kind === 'collection')
    for (const site of collections.slice(0, 1)) {
      for (const [name, options] of Object.entries(unknownPropertyQueries(site))) {
        const response = await session.send({ method: 'GET', path: site.path, options })
        const shown = response.status === 200 ? 'ignored' : isRejection(response, session) ? 'error' : undefined
        if (shown === undefined) continue
        const evidence = `GET ${site.path} with an unknown name in $${name} returned ${response.status}`
        observations.push({ value: shown, evidence, site })
      }
    }
    return observations
  },
)

/** The share of the declared length to try. */
const triedShare = 0.8

export const queryLimits = observingCalibrator('queryLimits', 'no collection supports filters', async session => {
  for (const site of session.sites) {
    const [property] = site.endpoint.kind === 'collection' ? filterableProperties(site, session, 'String') : []
    if (property === undefined) continue
    const length = Math.floor(session.service.limits.url * triedShare)
    const rawQuery = `$filter=${encodeURIComponent(`${property.name} eq ${quoteString('a'.repeat(length))}`)}`
    const response = await session.send({ method: 'GET', path: site.path, rawQuery })
    if (response.transportError === undefined && inconclusiveVerdict(response) !== undefined) continue
    if (response.transportError !== undefined || (response.status >= 500 && response.status !== 501)) return []
    const shown = response.status === 200 ? 'declared' : 'lower'
    const evidence = `GET ${site.path} with a query of ${rawQuery.length} characters returned ${response.status}`
    return [{ value: shown, evidence, site }]
  }
  return []
})

export const unsupportedQueryStatus = observingCalibrator(
  'unsupportedQueryStatus',
  'no unsupported query was rejected',
  async session => {
    const item = session.sites.find(site => {
      return site.endpoint.kind === 'item' && unsupportedQueries(site, undefined).length > 0
    })
    const [query] = item === undefined ? [] : unsupportedQueries(item, undefined)
    if (item === undefined || query === undefined) return []
    const response = await session.send({ method: 'GET', path: item.path, rawQuery: query.text ?? '' })
    if (!isRejection(response, session)) return []
    const evidence = `GET ${item.path}?${query.text} returned ${response.status}`
    return [{ value: response.status, evidence, site: item }]
  },
)

export const advancedQueryStatus = observingCalibrator(
  'advancedQueryStatus',
  'no query was rejected for a missing header',
  async session => {
    for (const site of session.sites) {
      const trigger = triggersOf(site, session).find(({ condition }) => condition.open === undefined)
      if (trigger === undefined) continue
      const response = await session.send({ method: 'GET', path: site.path, rawQuery: trigger.test.text ?? '' })
      if (!isRejection(response, session)) return []
      const evidence = `GET ${site.path}?${trigger.test.text} returned ${response.status}`
      return [{ value: response.status, evidence, site }]
    }
    return []
  },
)

export const advancedConstructs = observingCalibrator(
  'advancedConstructs',
  'a query that needs no header was rejected for another reason',
  async session => {
    for (const site of session.sites) {
      const options = unconditionalOptions(site, session)
      const { endpoint } = site
      if (options === undefined || endpoint.kind !== 'collection') continue
      const response = await session.send({ method: 'GET', path: site.path, options })
      const lacks = endpoint.query?.requires.some(condition => mentionsCondition(response, condition)) === true
      const shown = response.status === 200 ? 'declared' : isRejection(response, session) && lacks ? 'more' : undefined
      if (shown === undefined) return []
      const evidence = `GET ${site.path} with everything that needs no header returned ${response.status}`
      return [{ value: shown, evidence, site }]
    }
    return []
  },
)

const comparisonOperators = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const
const textFunctions = ['startswith', 'endswith', 'contains'] as const

/** One query with everything that an endpoint supports unconditionally. Absent if the endpoint has no conditions. */
function unconditionalOptions(site: Site, session: Session): QueryOptions | undefined {
  const { endpoint, type } = site
  const query = 'query' in endpoint ? endpoint.query : undefined
  const [text] = filterableProperties(site, session, 'String')
  const key = type?.key[0]?.name
  if (query === undefined || query.requires.length === 0 || text === undefined || key === undefined) return undefined
  const needed = new Set(query.requires.flatMap(({ when }) => when.flat()))
  const isPlain = (name: string): boolean => !needed.has(`filter.${name}`)
  const left = pathTo([text.name])
  const right = { kind: 'literal', type: 'String', value: 'a' } as const
  const [first, ...others]: readonly Expression[] = [
    ...comparisonOperators
      .filter(each => isPlain(each) && (query.filter.operators[each] ?? 'none') !== 'none')
      .map(operator => ({ kind: 'binary', operator, left, right }) as const),
    ...textFunctions
      .filter(each => isPlain(each) && (query.filter.functions[each] ?? 'none') !== 'none')
      .map(name => ({ kind: 'call', function: name, arguments: [left, right] }) as const),
  ]
  if (first === undefined) return undefined
  return {
    filter: joinConditions('or', first, ...others),
    ...(query.orderby.support === 'none' ? {} : { orderby: [{ expression: pathTo([key]), direction: 'asc' }] }),
    ...(query.select === 'none' ? {} : { select: [{ path: [key] }] }),
  }
}
