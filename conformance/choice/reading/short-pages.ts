import { pageOf } from '../../session/page-of.js'
import type { Calibrator } from '../calibrator.js'
import { lessonOf, type Sign } from './lessons.js'
import { pagedProbes } from './paged-probe.js'

/** C22: one page that is too short shows that pages may be; full ones show that these were. */
export const shortPages: Calibrator = {
  choice: 'shortPages',
  learn: async session => {
    const signs = (await pagedProbes(session)).flatMap(({ site, options, listing }) =>
      listing.pages.flatMap((answer): readonly Sign[] => {
        const page = pageOf(answer)
        if (page?.nextLink === undefined) return []
        const value = page.rows.length < options.top ? 'anyLength' : 'full'
        const witness = `a page of ${site.id} for $top=${options.top} has ${page.rows.length} items and a next link`
        return [{ value, witness }]
      }),
    )
    const short = signs.filter(({ value }) => value === 'anyLength')
    return lessonOf(short.length > 0 ? short : signs, 'no page with a next link was seen')
  },
}
