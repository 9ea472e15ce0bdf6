import { absentItemSite } from '../../discover/absent-item.js'
import { onePerEndpoint, type Site, sitePath } from '../../discover/site.js'
import { primitiveOf } from '../../lists/properties.js'
import { errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'

export const itemNotFound: ActiveRule = {
  kind: 'active',
  id: 'item-not-found',
  area: 'errors',
  statement: 'A request for an item that does not exist gets 404 and an error object.',
  advice:
    'This also applies below an item: the collection of an unknown owner is not an empty list. Look for reads that turn "no row" into null, an empty list or a server error.',
  aspects: ['error.notFound'],
  covers: ['error.itemNotFound', 'fault.itemNotFound', 'endpoint.item'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 5,
  sites,
  cases: (site, session) => {
    const variants = [
      ...(absentItemSite(site, session) === undefined ? [] : ['unknown key']),
      ...(partOfKeyPath(site) === undefined ? [] : [partOfKey]),
    ]
    return { planned: variants.map(variant => ({ variant })), skipReason: 'no unused key can be generated' }
  },
  check: async ({ variant }, site, session) => {
    const path = variant === partOfKey ? partOfKeyPath(site) : absentItemSite(site, session)?.path
    if (path === undefined) return { kind: 'inconclusive', why: 'no unused key can be generated' }
    const response = await session.send({ method: 'GET', path })
    const inconclusive = response.status === 404 ? undefined : inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const { itemNotFound: notFound, malformedKey } = session.service.faults
    const finding = errorFinding(response, variant === partOfKey ? [notFound, malformedKey] : notFound, session)
    return finding === undefined ? { kind: 'pass' } : { kind: 'fail', finding }
  },
}

const partOfKey = 'part of a key'
/** A part of a shorter key may be a key itself. */
const minKeyLength = 8

/** The path of an item whose key lacks its last two characters. Undefined if such a key may exist. */
function partOfKeyPath(site: Site): string | undefined {
  const last = site.endpoint.keys.at(-1)
  const key = last === undefined ? undefined : site.keys[last.variable]
  if (last === undefined || key === undefined || !isByKey(site) || key.length < minKeyLength) return undefined
  if (!['String', 'Guid'].includes(primitiveOf(last.property.type) ?? '')) return undefined
  return sitePath(site.endpoint, { ...site.keys, [last.variable]: key.slice(0, -2) })
}

/** Items first; then paths below items for which the spec declares the error. */
function sites({ sites: all, service }: Session): readonly Site[] {
  const eligible = onePerEndpoint(all).filter(site => {
    const { endpoint } = site
    if (endpoint.method !== 'GET' || endpoint.kind === 'call' || endpoint.keys.length === 0) return false
    return isByKey(site) || endpoint.errors.includes(service.faults.itemNotFound)
  })
  return [...eligible.filter(isByKey), ...eligible.filter(site => !isByKey(site))]
}

/** Whether the path ends in a key. */
function isByKey({ endpoint }: Site): boolean {
  return endpoint.kind === 'item' && /^(?:key|alternateKey)$/.test(endpoint.resolved.at(-1)?.kind ?? '')
}

const nowhere = 'specwrightNoSuchPath'

export const pathNotFound: ActiveRule = {
  kind: 'active',
  id: 'path-not-found',
  area: 'errors',
  statement: 'A request for an unknown path gets an error object.',
  advice:
    'Frameworks answer unknown paths with their own page. Register a handler for unmatched routes, including those below existing paths.',
  aspects: ['error.body', 'relation.path'],
  covers: ['error.pathNotFound', 'fault.pathNotFound'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 3,
  sites: ({ sites }) => {
    const reads = sites.filter(({ endpoint }) => endpoint.kind === 'item' || endpoint.kind === 'collection')
    const first = reads.find(({ endpoint }) => endpoint.kind === 'item' && endpoint.keys.length > 0) ?? reads[0]
    return first === undefined ? [] : [first]
  },
  cases: ({ endpoint }) => ({
    planned: [{ variant: 'below the root' }, ...(endpoint.kind === 'item' ? [{ variant: 'below an item' }] : [])],
  }),
  check: async ({ variant }, site, session) => {
    const path = variant === 'below an item' ? `${site.path}/${nowhere}` : `/${nowhere}`
    const response = await session.send({ method: 'GET', path })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const finding = errorFinding(response, session.service.faults.pathNotFound, session)
    return finding === undefined ? { kind: 'pass' } : { kind: 'fail', finding }
  },
}
