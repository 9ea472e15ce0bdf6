import { keyOf } from '../../site/key-of.js'
import type { Calibrator } from '../calibrator.js'
import { lessonOf } from './lessons.js'
import { plainProbe } from './plain-probe.js'

/** C16: whether a list without an order comes in the same one again. */
export const defaultOrder: Calibrator = {
  choice: 'defaultOrder',
  learn: async session => {
    const found = await plainProbe(session)
    const harvested = found === undefined ? undefined : session.snapshot(found.site)
    if (found === undefined || harvested === undefined || found.listing.rows.length < 2) {
      return lessonOf([], 'no list was read twice')
    }
    const { site, listing } = found
    const again = listing.rows.map(row => keyOf(row, site.type))
    const before = harvested.rows.slice(0, again.length).map(row => keyOf(row, site.type))
    const isSame = again.every((key, index) => key === before[index])
    const witness = `${site.id}, read twice, came in ${isSame ? 'the same' : 'another'} order`
    return lessonOf([{ value: isSame ? 'stable' : 'unstable', witness }], '')
  },
}
