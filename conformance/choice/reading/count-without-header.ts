import { countOf } from '../../reading/count-of.js'
import { isRefusal } from '../../rule/refusal.js'
import type { Calibrator } from '../calibrator.js'
import { lessonOf, type Sign } from './lessons.js'
import { witnessSites } from './witness-sites.js'

/** C6, on lists where the spec leaves it open. */
export const countWithoutHeader: Calibrator = {
  choice: 'countWithoutHeader',
  neededBy: ['header-required'],
  learn: async session => {
    const signs: Sign[] = []
    const sites = witnessSites(
      session,
      ({ count, requires }) => count !== 'none' && requires.some(({ open }) => open?.name === 'countWithoutHeader'),
      1,
    )
    for (const site of sites.slice(0, 1)) {
      const answer = await session.ask({ method: 'GET', path: site.path, options: { count: true } })
      const text = `${site.id} with $count=true and no header`
      if (isRefusal(answer, session)) signs.push({ value: 'rejected', witness: `${text} is refused` })
      else if (answer.status === 200) {
        const isCounted = countOf(answer) !== undefined
        signs.push({
          value: isCounted ? 'counted' : 'ignored',
          witness: `${text} has ${isCounted ? 'a' : 'no'} count`,
        })
      }
    }
    return lessonOf(signs, 'no list that may be counted')
  },
}
