import { onePage } from '../../reading/one-page.js'
import { relatedKeys } from '../../reading/related-keys.js'
import { relatedRows } from '../../reading/related-rows.js'
import { relationsOf } from '../../reading/relations-of.js'
import type { Calibrator } from '../calibrator.js'
import { lessonOf, type Sign } from './lessons.js'
import { isRead, probe } from './probe.js'
import { witnessSites } from './witness-sites.js'

/** So many items at once that no usual limit would let them through. */
const many = 200

/** C24: an expanded list that lacks what the relation's own path has is cut. That one is whole says nothing of longer ones. */
export const expandedItems: Calibrator = {
  choice: 'expandedItems',
  neededBy: ['expand'],
  learn: async session => {
    const signs: Sign[] = []
    for (const site of witnessSites(session, ({ expand }) => expand.support !== 'none', 1)) {
      const rows = session.snapshot(site)?.rows ?? []
      const relation = relationsOf(site).find(
        each =>
          each.collection &&
          rows.some(row => (relatedKeys(each, row, site.type, site, session)?.certain.size ?? 0) > 1),
      )
      if (relation === undefined) continue
      const listing = await probe(site, session, { expand: [{ path: [relation.name] }], ...onePage(site, session) }, 1)
      if (!isRead(listing)) continue
      for (const row of listing.rows) {
        const known = relatedKeys(relation, row, site.type, site, session)?.certain.size ?? 0
        const shown = relatedRows(row, relation)?.length ?? 0
        const text = `${relation.name} of ${site.id}, expanded, has ${shown} of ${known} items`
        if (shown > 0 && shown < known) signs.push({ value: 'limited', witness: text })
        else if (shown >= many && shown === known) signs.push({ value: 'all', witness: text })
      }
      break
    }
    return lessonOf(signs, 'no expanded list was seen to be cut, and none was long')
  },
}
