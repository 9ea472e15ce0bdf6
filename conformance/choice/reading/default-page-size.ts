import { pageOf } from '../../session/page-of.js'
import type { Calibrator } from '../calibrator.js'
import { lessonOf } from './lessons.js'
import { plainProbe } from './plain-probe.js'

/** C1. */
export const defaultPageSize: Calibrator = {
  choice: 'defaultPageSize',
  learn: async session => {
    const found = await plainProbe(session)
    const [first] = found?.listing.pages ?? []
    const page = first === undefined ? undefined : pageOf(first)
    const declared = found?.site.endpoint.query.top.default
    if (found === undefined || page === undefined || declared === undefined) return lessonOf([], 'no list was read')
    const length = page.rows.length
    const isShort = page.nextLink === undefined && length <= declared
    if (isShort) return lessonOf([], 'no list is longer than its pages')
    const value = length === declared ? 'declared' : 'other'
    return lessonOf(
      [{ value, witness: `a page of ${found.site.id} has ${length} items; declared are ${declared}` }],
      '',
    )
  },
}
