import { countOf } from '../../lists/read-rows.js'
import type { PassiveRule } from '../../rule/rule.js'

/** @see OData JSON Format 4.01, 4.5.4 */
export const countType: PassiveRule = {
  kind: 'passive',
  id: 'count-type',
  area: 'top-skip-count',
  statement: '`@odata.count` is a non-negative integer.',
  advice: 'Write it as a JSON number: 12, not "12", null or -1.',
  aspects: ['count.value'],
  covers: ['count'],
  severity: 'must',
  inspect: (response, site) => {
    if (response.status !== 200 || site?.endpoint.kind !== 'collection') return undefined
    const count = countOf(response)
    if (count === undefined) return undefined
    if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return 'seen'
    return {
      message: '@odata.count is not a non-negative integer.',
      expected: 'a JSON number, at least 0',
      received: `@odata.count: ${JSON.stringify(count)}`,
      answers: [response],
      features: ['count', 'type'],
    }
  },
}
