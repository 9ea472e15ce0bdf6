import { absentItemSite } from '../../discover/absent-item.js'
import { onePerEndpoint, type Site } from '../../discover/site.js'
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
  cases: (site, session) =>
    absentItemSite(site, session) === undefined
      ? { skipReason: 'no unused key can be generated' }
      : { planned: [{ variant: 'unknown key' }] },
  check: async (_test, site, session) => {
    const unknown = absentItemSite(site, session)
    if (unknown === undefined) return { kind: 'inconclusive', why: 'no unused key can be generated' }
    const response = await session.send({ method: 'GET', path: unknown.path })
    const inconclusive = response.status === 404 ? undefined : inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const finding = errorFinding(response, session.service.faults.itemNotFound, session)
    return finding === undefined ? { kind: 'pass' } : { kind: 'fail', finding }
  },
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
  return endpoint.kind === 'item' && endpoint.resolved.at(-1)?.kind === 'key'
}
