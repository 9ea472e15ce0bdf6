import type { QueryOptions } from '../../../runtime/query/index.js'
import { onePerEndpoint, type Site } from '../../discover/site.js'
import { constructsOf, filterableProperties } from '../../rule/query-request.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { mentionsCondition } from './triggers.js'

export const plainNeedsNone: ActiveRule = {
  kind: 'active',
  id: 'plain-needs-none',
  area: 'advanced-queries',
  statement: 'A query that requires no header is not rejected for a missing header.',
  advice: 'Look for a header check that applies to a whole route or to every $filter.',
  aspects: ['advanced.header', 'collection.read'],
  covers: ['requires', 'open.advancedConstructs'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 2,
  sites: ({ sites }) =>
    onePerEndpoint(sites).filter(({ endpoint }) => endpoint.kind === 'collection' && hasConditions(endpoint)),
  cases: (site, session) => ({ planned: plainQueries(site, session).map(options => ({ options })) }),
  check: async ({ options = {} }, site, session) => {
    const response = await session.send({ method: 'GET', path: site.path, options })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    if (!isRejection(response, session)) return { kind: 'pass' }
    const { endpoint } = site
    const requires = 'query' in endpoint ? (endpoint.query?.requires ?? []) : []
    const condition = requires.find(each => mentionsCondition(response, each))
    const constructs = constructsOf(options)
    const { open } = session.service
    const isOpen = open.some(({ name, legal }) => name === 'advancedConstructs' && legal.includes('more'))
    const mayNeedMore = constructs.length > 0 && isOpen
    if (condition === undefined || mayNeedMore) return { kind: 'unsupported', constructs }
    return failure({
      message: `A query that requires no header was rejected for a missing ${condition.header.name}.`,
      expected: 'the rows, or an error that names what is not supported',
      received: describeResponse(response),
      answers: [response],
      features: [`error.${condition.otherwise.name}`, 'plain query'],
    })
  },
}

function hasConditions(endpoint: Site['endpoint']): boolean {
  return 'query' in endpoint && (endpoint.query?.requires.length ?? 0) > 0
}

/** Options that no condition names. */
function plainQueries(site: Site, session: Session): readonly QueryOptions[] {
  const { endpoint, type } = site
  const query = 'query' in endpoint ? endpoint.query : undefined
  const key = type?.key[0]?.name
  if (query === undefined || key === undefined) return []
  const text = filterableProperties(site, session, 'String')[0]?.name ?? key
  const path = (name: string) => ({ kind: 'path', segments: [{ kind: 'property', name }] }) as const
  const right = { kind: 'literal', type: 'String', value: 'a' } as const
  const all: readonly (QueryOptions | undefined)[] = [
    {},
    query.filter.support === 'none'
      ? undefined
      : { filter: { kind: 'binary', operator: 'eq', left: path(text), right } },
    query.orderby.support === 'none' ? undefined : { orderby: [{ expression: path(key), direction: 'asc' }] },
    query.select === 'none' ? undefined : { select: [{ path: [key] }] },
  ]
  const needed = new Set(query.requires.flatMap(({ when }) => when.flat()))
  return all.filter(each => each !== undefined).filter(each => !constructsOf(each).some(name => needed.has(name)))
}
