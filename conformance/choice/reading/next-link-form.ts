import { pageOf } from '../../session/page-of.js'
import type { Calibrator } from '../calibrator.js'
import { lessonOf, type Sign } from './lessons.js'
import { pagedProbes } from './paged-probe.js'

/** C23. */
export const nextLinkForm: Calibrator = {
  choice: 'nextLinkForm',
  learn: async session => {
    const signs = (await pagedProbes(session)).flatMap(({ site, listing }) =>
      listing.pages.flatMap((answer): readonly Sign[] => {
        const link = pageOf(answer)?.nextLink
        if (link === undefined) return []
        const value = URL.canParse(link) ? 'absolute' : 'relative'
        return [{ value, witness: `${site.id} has a next link that is ${value}` }]
      }),
    )
    return lessonOf(signs, 'no next link was seen')
  },
}
