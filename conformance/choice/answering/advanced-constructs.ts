import type { Expression, QueryOptions } from '../../../runtime/query/index.js'
import { propertyPath } from '../../reading/property-path.js'
import { filterable } from '../../rule/filterable.js'
import { isRefusal } from '../../rule/refusal.js'
import { saysSo } from '../../rules/advanced-queries/says-so.js'
import type { Session } from '../../session/session.js'
import type { Site } from '../../site/site.js'
import { witnessed } from './legal-value.js'

export const advancedConstructs = witnessed(
  'advancedConstructs',
  'a query of all that needs no header was refused for another reason',
  async session => {
    for (const site of session.sites) {
      const options = plainOptions(site, session)
      const { endpoint } = site
      if (options === undefined || endpoint.kind !== 'collection') continue
      const answer = await session.ask({ method: 'GET', path: site.path, options })
      const lacks = endpoint.query?.requires.some(condition => saysSo(answer, condition)) === true
      const shown = answer.status === 200 ? 'declared' : isRefusal(answer, session) && lacks ? 'more' : undefined
      if (shown === undefined) return []
      return [{ shown, text: `GET ${site.path} with all that needs no header answered ${answer.status}` }]
    }
    return []
  },
)

const comparisons = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const
const functions = ['startswith', 'endswith', 'contains'] as const

/** Everything that an endpoint supports and no condition names, in one query; absent where there are no conditions. */
function plainOptions(site: Site, session: Session): QueryOptions | undefined {
  const { endpoint, type } = site
  const query = 'query' in endpoint ? endpoint.query : undefined
  const [text] = filterable(site, session, 'String')
  const key = type?.key[0]?.name
  if (query === undefined || query.requires.length === 0 || text === undefined || key === undefined) return undefined
  const needed = new Set(query.requires.flatMap(({ when }) => when.flat()))
  const isPlain = (name: string): boolean => !needed.has(`filter.${name}`)
  const left = propertyPath([text.name])
  const right = { kind: 'literal', type: 'String', value: 'a' } as const
  const parts: readonly Expression[] = [
    ...comparisons
      .filter(each => isPlain(each) && (query.filter.operators[each] ?? 'none') !== 'none')
      .map(operator => ({ kind: 'binary', operator, left, right }) as const),
    ...functions
      .filter(each => isPlain(each) && (query.filter.functions[each] ?? 'none') !== 'none')
      .map(name => ({ kind: 'call', function: name, arguments: [left, right] }) as const),
  ]
  const [first, ...others] = parts
  if (first === undefined) return undefined
  const filter = others.reduce<Expression>(
    (all, part) => ({ kind: 'binary', operator: 'or', left: all, right: part }),
    first,
  )
  return {
    filter,
    ...(query.orderby.support === 'none' ? {} : { orderby: [{ expression: propertyPath([key]), direction: 'asc' }] }),
    ...(query.select === 'none' ? {} : { select: [{ path: [key] }] }),
  }
}
