import type { QueryOptions } from '../../../runtime/query/index.js'
import { constructsOf } from '../../rule/constructs-of.js'
import { describeAnswer } from '../../rule/describe-answer.js'
import { filterable } from '../../rule/filterable.js'
import { isRefusal } from '../../rule/refusal.js'
import type { Rule } from '../../rule/rule.js'
import { untold } from '../../rule/untold.js'
import type { Session } from '../../session/session.js'
import { firstOfEach } from '../../site/first-of-each.js'
import type { Site } from '../../site/site.js'
import { saysSo } from './says-so.js'

export const plainNeedsNone: Rule = {
  kind: 'asking',
  id: 'plain-needs-none',
  area: 'advanced-queries',
  statement: 'A query that needs no header is not rejected for lack of one.',
  advice: 'Look for a check of the header that is made for a whole route, or for every $filter.',
  clauses: ['advanced.header', 'collection.list'],
  covers: ['requires', 'open.advancedConstructs'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 2,
  sites: ({ sites }) =>
    firstOfEach(sites).filter(({ endpoint }) => endpoint.kind === 'collection' && hasConditions(endpoint)),
  cases: (site, session) => ({ planned: plainQueries(site, session).map(options => ({ options })) }),
  check: async ({ options = {} }, site, session) => {
    const answer = await session.ask({ method: 'GET', path: site.path, options })
    const nothing = untold(answer)
    if (nothing !== undefined) return nothing
    if (!isRefusal(answer, session)) return { kind: 'pass' }
    const { endpoint } = site
    const requires = 'query' in endpoint ? (endpoint.query?.requires ?? []) : []
    const condition = requires.find(each => saysSo(answer, each))
    const constructs = constructsOf(options)
    const { open } = session.service
    const isOpen = open.some(({ name, legal }) => name === 'advancedConstructs' && legal.includes('more'))
    const mayNeedMore = constructs.length > 0 && isOpen
    if (condition === undefined || mayNeedMore) return { kind: 'unsupported', constructs }
    return {
      kind: 'fail',
      finding: {
        message: `A query that needs no header was rejected for lack of ${condition.header.name}.`,
        expected: 'the rows, or an error that says what is not supported',
        received: describeAnswer(answer),
        answers: [answer],
        features: [`error.${condition.otherwise.name}`, 'plain query'],
      },
    }
  },
}

function hasConditions(endpoint: Site['endpoint']): boolean {
  return 'query' in endpoint && (endpoint.query?.requires.length ?? 0) > 0
}

/** Without what any condition names. */
function plainQueries(site: Site, session: Session): readonly QueryOptions[] {
  const { endpoint, type } = site
  const query = 'query' in endpoint ? endpoint.query : undefined
  const key = type?.key[0]?.name
  if (query === undefined || key === undefined) return []
  const text = filterable(site, session, 'String')[0]?.name ?? key
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
