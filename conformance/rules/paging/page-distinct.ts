import { keysShown, repeated } from '../../reading/keys-shown.js'
import type { Watch } from '../../rule/rule.js'
import { pageOf } from '../../session/page-of.js'

/** PAG-COVER within one page. */
export const pageDistinct: Watch = {
  kind: 'watching',
  id: 'page-distinct',
  area: 'paging',
  statement: 'No item comes twice on a page.',
  advice: 'Look for a join that multiplies rows: for $filter over a collection, for $search.',
  clauses: ['collection.list'],
  covers: ['endpoint.collection'],
  severity: 'must',
  watch: (answer, site) => {
    // What $expand does to a list is the matter of the rules of $expand.
    if (site?.endpoint.kind !== 'collection' || answer.ask.options?.expand !== undefined) return undefined
    const rows = pageOf(answer)?.rows ?? []
    const keys = keysShown(rows, site.type)
    if (keys === undefined || keys.length < 2) return undefined
    const twice = repeated(keys)
    if (twice.length === 0) return 'seen'
    const { filter, search } = answer.ask.options ?? {}
    const joined = [filter && 'filter', search && 'search'].filter(each => typeof each === 'string')
    return {
      message: 'An item comes more than once on a page.',
      expected: 'each item once',
      received: `${keys.length} items, ${new Set(keys).size} of them different`,
      surplus: twice,
      answers: [answer],
      features: ['repeated', ...joined],
    }
  },
}
