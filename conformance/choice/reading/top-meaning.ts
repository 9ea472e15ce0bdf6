import { queryText } from '../../reading/query-text.js'
import { pageOf } from '../../session/page-of.js'
import type { Calibrator } from '../calibrator.js'
import { lessonOf, type Sign } from './lessons.js'
import { pagedProbes } from './paged-probe.js'

/** C2: whether a list that is longer than $top goes on. */
export const topMeaning: Calibrator = {
  choice: 'topMeaning',
  learn: async session => {
    const signs = (await pagedProbes(session)).flatMap(({ site, options, listing }): readonly Sign[] => {
      const [first, second] = listing.pages
      const page = first === undefined ? undefined : pageOf(first)
      if (page === undefined) return []
      const text = `${site.id} with ${queryText(options)}`
      // A link may lead to an empty page: that shows nothing of what the list holds.
      const isEmpty = second !== undefined && pageOf(second)?.rows.length === 0
      const leadsOn = page.nextLink !== undefined && page.rows.length >= options.top && !isEmpty
      const more = listing.rows.length > options.top || leadsOn
      if (more) return [{ value: 'pageSize', witness: `${text} goes on after ${options.top} items` }]
      const ends = listing.end === 'whole' && listing.rows.length === options.top
      return ends ? [{ value: 'total', witness: `${text} ends after ${options.top} items` }] : []
    })
    return lessonOf(signs, 'no list is longer than a small $top')
  },
}
