import type { PassiveRule } from '../../rule/rule.js'
import { pageOf } from '../../session/list-pages.js'

/** TOP-MAX. */
export const topRespected: PassiveRule = {
  kind: 'watching',
  id: 'top-respected',
  area: 'top-skip-count',
  statement: 'A page never has more items than $top.',
  advice: '$top is the most that a caller can take. Cut the page in the query, not in the caller.',
  clauses: ['top.maximum'],
  covers: ['top'],
  severity: 'must',
  inspect: (answer, site) => {
    const top = answer.testRequest.options?.top
    if (top === undefined || site?.endpoint.kind !== 'collection') return undefined
    const page = pageOf(answer)
    if (page === undefined) return undefined
    if (page.rows.length <= top) return 'seen'
    return {
      message: `A page for $top=${top} has more items.`,
      expected: `at most ${top} items`,
      received: `${page.rows.length} items`,
      answers: [answer],
      features: ['top', 'page'],
    }
  },
}
