import { readAsk } from '../../rule/read-ask.js'
import { isRefusal } from '../../rule/refusal.js'
import { pageOf } from '../../session/page-of.js'
import type { Calibrator } from '../calibrator.js'
import { lessonOf, type Sign } from './lessons.js'
import { witnessSites } from './witness-sites.js'

/** C4. */
export const topZero: Calibrator = {
  choice: 'topZero',
  neededBy: ['top-bounds'],
  after: ['topMeaning'],
  learn: async session => {
    const signs: Sign[] = []
    for (const site of witnessSites(session, ({ top }) => top.support !== 'none' && top.min === 0, 1).slice(0, 1)) {
      if (!session.support.isKnown(site, 'top')) continue
      const answer = await session.ask(readAsk(site, { top: 0 }))
      const page = pageOf(answer)
      if (isRefusal(answer, session)) signs.push({ value: 'error', witness: `${site.id} refuses $top=0` })
      else if (page?.rows.length === 0) signs.push({ value: 'empty', witness: `${site.id} has no items with $top=0` })
    }
    return lessonOf(signs, 'no list was seen to take $top')
  },
}
