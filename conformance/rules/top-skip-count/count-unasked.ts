import { countOf } from '../../lists/read-rows.js'
import type { PassiveRule } from '../../rule/rule.js'

/** @see OData Protocol 4.01, 11.2.6.5 */
export const countUnasked: PassiveRule = {
  kind: 'passive',
  id: 'count-unasked',
  area: 'top-skip-count',
  statement: '`@odata.count` is present only if the request has $count=true.',
  advice: 'Counting costs as much as reading the whole list. Omit the count unless the client requests it.',
  clauses: ['count.carried'],
  covers: ['count'],
  severity: 'should',
  inspect: (answer, site) => {
    const { path, options = {}, rawQuery } = answer.testRequest
    // The options of a next link are not known.
    const isPlain = rawQuery === undefined && path === site?.path && options.count !== true
    if (answer.status !== 200 || site?.endpoint.kind !== 'collection' || !isPlain) return undefined
    const count = countOf(answer)
    if (count === undefined) return 'seen'
    return {
      message: 'The response has @odata.count, although it was not requested.',
      expected: 'no @odata.count',
      received: `@odata.count: ${JSON.stringify(count)}`,
      answers: [answer],
      features: ['count', 'unasked'],
    }
  },
}
