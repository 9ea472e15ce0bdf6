import { absentItemSite } from '../../discover/absent-item.js'
import { onePerEndpoint } from '../../discover/site.js'
import { errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'

export const writeNotFound: ActiveRule = {
  kind: 'active',
  id: 'write-not-found',
  area: 'writing',
  statement: 'An update or delete of an item that does not exist gets 404.',
  advice: 'A write that affects no row did not succeed. Check the number of affected rows that the store returns.',
  aspects: ['error.notFound', 'methods'],
  covers: ['endpoint.update', 'endpoint.delete', 'error.itemNotFound', 'fault.itemNotFound'],
  severity: 'must',
  writes: true,
  cost: 1,
  weight: 6,
  sites: session =>
    onePerEndpoint(session.sites).filter(site => {
      const { endpoint } = site
      if (endpoint.kind !== 'update' && endpoint.kind !== 'delete') return false
      // With upsert, an update creates the item.
      if (endpoint.kind === 'update' && session.service.features.upsert !== 'none') return false
      return endpoint.ifMatch !== 'required' && absentItemSite(site, session) !== undefined
    }),
  cases: () => ({ planned: [{ variant: 'unknown key' }] }),
  check: async (_test, site, session) => {
    const { endpoint } = site
    const unknown = absentItemSite(site, session)
    if (unknown === undefined) return { kind: 'inconclusive', why: 'no unused key can be generated' }
    const body = endpoint.method === 'PATCH' ? { body: {} } : {}
    const response = await session.send({ method: endpoint.method, path: unknown.path, ...body })
    const inconclusive = response.status === 404 ? undefined : inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const finding = errorFinding(response, session.service.faults.itemNotFound, session)
    return finding === undefined ? { kind: 'pass' } : { kind: 'fail', finding }
  },
}
