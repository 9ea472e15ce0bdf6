import { countOf } from '../../lists/read-rows.js'
import type { PassiveRule } from '../../rule/rule.js'

/** @see OData Protocol 4.01, 11.2.6.5 */
export const countUnasked: PassiveRule = {
  kind: 'passive',
  id: 'count-unasked',
  area: 'top-skip-count',
  statement: '`@odata.count` is present only if the request has $count=true.',
  advice: 'Counting costs as much as reading the whole list. Omit the count unless the client requests it.',
  aspects: ['count.value'],
  covers: ['count'],
  severity: 'should',
  inspect: (response, site) => {
    const { path, options = {}, rawQuery } = response.testRequest
    // The options of a next link are not known.
    const isPlain = rawQuery === undefined && path === site?.path && options.count !== true
    if (response.status !== 200 || site?.endpoint.kind !== 'collection' || !isPlain) return undefined
    const count = countOf(response)
    if (count === undefined) return 'seen'
    return {
      message: 'The response has @odata.count, although it was not requested.',
      expected: 'no @odata.count',
      received: `@odata.count: ${JSON.stringify(count)}`,
      answers: [response],
      features: ['count', 'unasked'],
    }
  },
}
