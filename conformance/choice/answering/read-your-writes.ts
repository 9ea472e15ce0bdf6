import type { Calibrator } from '../calibrator.js'
import { writeSample } from './write-sample.js'

/** Looks again at what was made until it shows: how long that took is how long rules wait. */
export const readYourWrites: Calibrator = {
  choice: 'readYourWrites',
  learn: async session => {
    const sample = await writeSample(session)
    if (sample === undefined) return { kind: 'undecided', why: 'nothing was written' }
    const { shownAfter, site } = sample
    if (shownAfter === undefined) return { kind: 'undecided', why: `what was created in ${site.path} did not show` }
    const witnesses = [
      `what was created in ${site.path} showed ${shownAfter === 0 ? 'at once' : `after ${shownAfter} ms`}`,
    ]
    if (shownAfter > 0) return { kind: 'learned', value: 'delayed', witnesses, settleTime: shownAfter }
    return { kind: 'learned', value: 'immediate', witnesses }
  },
}
