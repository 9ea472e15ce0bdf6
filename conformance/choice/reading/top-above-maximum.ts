import { readAsk } from '../../rule/read-ask.js'
import { isRefusal } from '../../rule/refusal.js'
import { pageOf } from '../../session/page-of.js'
import type { Calibrator } from '../calibrator.js'
import { lessonOf, type Sign } from './lessons.js'
import { witnessSites } from './witness-sites.js'

/** C3. Whether $top is cut or passed over shows only where more items come than a page has by default. */
export const topAboveMaximum: Calibrator = {
  choice: 'topAboveMaximum',
  neededBy: ['top-bounds'],
  after: ['topMeaning'],
  learn: async session => {
    const signs: Sign[] = []
    const open = witnessSites(session, ({ top }) => top.above === 'open' && top.max !== undefined, 1)
    const known = open.filter(site => session.support.isKnown(site, 'top'))
    const longest = [...known].sort((a, b) => excess(b) - excess(a))[0]
    const { max = 0, default: usual = max } = longest?.endpoint.query.top ?? {}
    if (longest !== undefined) {
      const answer = await session.ask(readAsk(longest, { top: max + 1 }))
      const page = pageOf(answer)
      const text = `${longest.id} with $top=${max + 1}`
      if (isRefusal(answer, session)) signs.push({ value: 'error', witness: `${text} is refused` })
      else if (page !== undefined && page.rows.length > usual) {
        signs.push({ value: 'clamp', witness: `${text} has ${page.rows.length} items on a page` })
      } else if (page?.nextLink !== undefined && page.rows.length === usual) {
        signs.push({ value: 'ignore', witness: `${text} has the ${usual} items of a page without $top` })
      }
    }
    return lessonOf(signs, 'no list is longer than its pages')

    function excess(site: (typeof open)[number]): number {
      return (session.snapshot(site)?.rows.length ?? 0) - (site.endpoint.query.top.default ?? 0)
    }
  },
}
