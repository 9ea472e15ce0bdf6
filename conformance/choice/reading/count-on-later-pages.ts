import { countOf } from '../../reading/count-of.js'
import type { Calibrator } from '../calibrator.js'
import { lessonOf, type Sign } from './lessons.js'
import { pagedProbes } from './paged-probe.js'

/** C5. */
export const countOnLaterPages: Calibrator = {
  choice: 'countOnLaterPages',
  learn: async session => {
    const signs = (await pagedProbes(session)).flatMap(({ site, options, listing }): readonly Sign[] => {
      const [first, second] = listing.pages
      if (options.count !== true || second?.status !== 200 || countOf(first) === undefined) return []
      const isThere = countOf(second) !== undefined
      const witness = `the second page of ${site.id} has ${isThere ? 'a' : 'no'} count`
      return [{ value: isThere ? 'every' : 'first', witness }]
    })
    return lessonOf(signs, 'no second page of a counted list was seen')
  },
}
