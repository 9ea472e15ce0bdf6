import { countOf } from '../../lists/read-rows.js'
import type { PassiveRule } from '../../rule/rule.js'

/** CNT-TYPE, its other half. */
export const countUnasked: PassiveRule = {
  kind: 'watching',
  id: 'count-unasked',
  area: 'top-skip-count',
  statement: '@odata.count comes only when $count=true is asked for.',
  advice: 'Counting costs as much as reading the whole list: leave it out unless it is wanted.',
  clauses: ['count.carried'],
  covers: ['count'],
  severity: 'should',
  inspect: (answer, site) => {
    const { path, options = {}, rawQuery } = answer.testRequest
    // What a next link asks for is not known.
    const isPlain = rawQuery === undefined && path === site?.path && options.count !== true
    if (answer.status !== 200 || site?.endpoint.kind !== 'collection' || !isPlain) return undefined
    const count = countOf(answer)
    if (count === undefined) return 'seen'
    return {
      message: '@odata.count comes though it was not asked for.',
      expected: 'no @odata.count',
      received: `@odata.count: ${JSON.stringify(count)}`,
      answers: [answer],
      features: ['count', 'unasked'],
    }
  },
}
