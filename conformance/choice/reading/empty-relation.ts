import { isRow } from '../../is-row.js'
import { onePage } from '../../reading/one-page.js'
import { relationsOf } from '../../reading/relations-of.js'
import type { Calibrator } from '../calibrator.js'
import { lessonOf, type Sign } from './lessons.js'
import { isRead, probe } from './probe.js'
import { witnessSites } from './witness-sites.js'

/** C25: a single relation that leads to nothing, beside others that lead somewhere. */
export const emptyRelation: Calibrator = {
  choice: 'emptyRelation',
  neededBy: ['expand'],
  learn: async session => {
    const signs: Sign[] = []
    for (const site of witnessSites(session, ({ expand }) => expand.support !== 'none', 1)) {
      const relation = relationsOf(site).find(({ collection, nullable }) => !collection && nullable)
      if (relation === undefined) continue
      const { name } = relation
      const listing = await probe(site, session, { expand: [{ path: [name] }], ...onePage(site, session) }, 1)
      if (!isRead(listing)) continue
      const leads = listing.rows.some(row => Object.hasOwn(row, name) && isRow(row[name]))
      for (const row of listing.rows) {
        if (Object.hasOwn(row, name) && row[name] === null) {
          signs.push({ value: 'null', witness: `an item of ${site.id} has ${name}: null` })
        } else if (!Object.hasOwn(row, name) && leads) {
          signs.push({ value: 'absent', witness: `an item of ${site.id} has no ${name}, another one has` })
        }
      }
    }
    return lessonOf(signs, 'no single relation that leads to nothing was seen')
  },
}
