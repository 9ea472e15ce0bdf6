import { duplicates, visibleKeys } from '../../lists/read-rows.js'
import type { PassiveRule } from '../../rule/rule.js'
import { pageOf } from '../../session/list-pages.js'

export const pageDistinct: PassiveRule = {
  kind: 'passive',
  id: 'page-distinct',
  area: 'paging',
  statement: 'No item appears twice on a page.',
  advice: 'Look for a join that multiplies rows, for example for a $filter on a collection or for $search.',
  aspects: ['collection.read'],
  covers: ['endpoint.collection'],
  severity: 'must',
  inspect: (response, site) => {
    // The rules of $expand check what $expand does to a list.
    if (site?.endpoint.kind !== 'collection' || response.testRequest.options?.expand !== undefined) return undefined
    const rows = pageOf(response)?.rows ?? []
    const keys = visibleKeys(rows, site.type)
    if (keys === undefined || keys.length < 2) return undefined
    const twice = duplicates(keys)
    if (twice.length === 0) return 'seen'
    const { filter, search } = response.testRequest.options ?? {}
    const joined = [filter && 'filter', search && 'search'].filter(each => typeof each === 'string')
    return {
      message: 'An item appears more than once on a page.',
      expected: 'each item once',
      received: `${keys.length} items, ${new Set(keys).size} of them different`,
      surplus: twice,
      answers: [response],
      features: ['repeated', ...joined],
    }
  },
}
