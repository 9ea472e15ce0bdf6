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
