import { errorFinding } from '../../rule/refusal.js'
import type { Rule } from '../../rule/rule.js'
import { untold } from '../../rule/untold.js'
import { firstOfEach } from '../../site/first-of-each.js'
import { unknownSite } from '../../site/unknown-site.js'

export const writeNotFound: Rule = {
  kind: 'asking',
  id: 'write-not-found',
  area: 'writing',
  statement: 'A change or a delete of an item that does not exist is answered with 404.',
  advice: 'A write that touches no row is no success. Look at the number of rows that the store says it changed.',
  clauses: ['error.itemNotFound'],
  covers: ['endpoint.update', 'endpoint.delete', 'error.itemNotFound', 'fault.itemNotFound'],
  severity: 'must',
  writes: true,
  cost: 1,
  weight: 6,
  sites: session =>
    firstOfEach(session.sites).filter(site => {
      const { endpoint } = site
      if (endpoint.kind !== 'update' && endpoint.kind !== 'delete') return false
      return endpoint.ifMatch !== 'required' && unknownSite(site, session) !== undefined
    }),
  cases: () => ({ planned: [{ variant: 'unknown key' }] }),
  check: async (_test, site, session) => {
    const { endpoint } = site
    const unknown = unknownSite(site, session)
    if (unknown === undefined) return { kind: 'inconclusive', why: 'a key that no item has cannot be made up' }
    const body = endpoint.method === 'PATCH' ? { body: {} } : {}
    const answer = await session.ask({ method: endpoint.method, path: unknown.path, ...body })
    const nothing = answer.status === 404 ? undefined : untold(answer)
    if (nothing !== undefined) return nothing
    const finding = errorFinding(answer, session.service.faults.itemNotFound, session)
    return finding === undefined ? { kind: 'pass' } : { kind: 'fail', finding }
  },
}
