import { errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'

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
