import type { PassiveRule } from '../../rule/rule.js'
import { pageOf } from '../../session/list-pages.js'

/** @see OData Protocol 4.01, 11.2.6.3 */
export const topRespected: PassiveRule = {
  kind: 'passive',
  id: 'top-respected',
  area: 'top-skip-count',
  statement: 'A page never has more than $top items.',
  advice: '$top is the most that the client can handle. Limit the page in the query on the server.',
  aspects: ['top.maximum'],
  covers: ['top'],
  severity: 'must',
  inspect: (response, site) => {
    const top = response.testRequest.options?.top
    if (top === undefined || site?.endpoint.kind !== 'collection') return undefined
    const page = pageOf(response)
    if (page === undefined) return undefined
    if (page.rows.length <= top) return 'seen'
    return {
      message: `A page for $top=${top} has more than ${top} items.`,
      expected: `at most ${top} items`,
      received: `${page.rows.length} items`,
      answers: [response],
      features: ['top', 'page'],
    }
  },
}
