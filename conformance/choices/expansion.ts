import type { ExpandItem } from '../../runtime/query/index.js'
import { isRow } from '../json.js'
import { onePageOptions } from '../lists/query-site.js'
import { expandableRelations, expandedRows, relatedKeys } from '../lists/related-items.js'
import { readRequest } from '../rule/query-request.js'
import { isRejection } from '../rule/response.js'
import { type Calibrator, conclude, type Observation } from './calibrator.js'
import { hasPages, probeList, probeSites } from './list-probes.js'

/** So many items at once that no usual limit would let them through. */
const longList = 200

/** C24: an expanded list that lacks what the relation's own path has is cut. That one is whole says nothing of longer ones. */
export const expandedItems: Calibrator = {
  choice: 'expandedItems',
  neededBy: ['expand'],
  learn: async session => {
    const signs: Observation[] = []
    for (const site of probeSites(session, ({ expand }) => expand.support !== 'none', 1)) {
      const rows = session.snapshot(site)?.rows ?? []
      const relation = expandableRelations(site).find(
        each =>
          each.collection &&
          rows.some(row => (relatedKeys(each, row, site.type, site, session)?.certain.size ?? 0) > 1),
      )
      if (relation === undefined) continue
      const listing = await probeList(
        site,
        session,
        { expand: [{ path: [relation.name] }], ...onePageOptions(site, session) },
        1,
      )
      if (!hasPages(listing)) continue
      for (const row of listing.rows) {
        const known = relatedKeys(relation, row, site.type, site, session)?.certain.size ?? 0
        const shown = expandedRows(row, relation)?.length ?? 0
        const text = `${relation.name} of ${site.id}, expanded, has ${shown} of ${known} items`
        if (shown > 0 && shown < known) signs.push({ value: 'limited', evidence: text })
        else if (shown >= longList && shown === known) signs.push({ value: 'all', evidence: text })
      }
      break
    }
    return conclude(signs, 'no expanded list was seen to be cut, and none was long')
  },
}

/** C25: a single relation that leads to nothing, beside others that lead somewhere. */
export const emptyRelation: Calibrator = {
  choice: 'emptyRelation',
  neededBy: ['expand'],
  learn: async session => {
    const signs: Observation[] = []
    for (const site of probeSites(session, ({ expand }) => expand.support !== 'none', 1)) {
      const relation = expandableRelations(site).find(({ collection, nullable }) => !collection && nullable)
      if (relation === undefined) continue
      const { name } = relation
      const listing = await probeList(
        site,
        session,
        { expand: [{ path: [name] }], ...onePageOptions(site, session) },
        1,
      )
      if (!hasPages(listing)) continue
      const leads = listing.rows.some(row => Object.hasOwn(row, name) && isRow(row[name]))
      for (const row of listing.rows) {
        if (Object.hasOwn(row, name) && row[name] === null) {
          signs.push({ value: 'null', evidence: `an item of ${site.id} has ${name}: null` })
        } else if (!Object.hasOwn(row, name) && leads) {
          signs.push({ value: 'absent', evidence: `an item of ${site.id} has no ${name}, another one has` })
        }
      }
    }
    return conclude(signs, 'no single relation that leads to nothing was seen')
  },
}

/** C24, its depth: one level more than declared. */
export const expandDepth: Calibrator = {
  choice: 'expandDepth',
  neededBy: [],
  learn: async session => {
    const signs: Observation[] = []
    for (const site of probeSites(session, ({ expand }) => expand.support !== 'none', 1)) {
      const relation = expandableRelations(site).find(({ type }) => type.navigation.length > 0)
      const inner = relation?.type.navigation[0]
      if (relation === undefined || inner === undefined) continue
      const { maxDepth } = site.endpoint.query.expand
      if (maxDepth > 1) continue
      const item: ExpandItem = { path: [relation.name], options: { expand: [{ path: [inner.name] }] } }
      const answer = await session.send(readRequest(site, { expand: [item] }))
      const text = `${site.id} with $expand=${relation.name}($expand=${inner.name})`
      if (isRejection(answer, session)) signs.push({ value: 'declared', evidence: `${text} is refused` })
      else if (answer.status === 200) signs.push({ value: 'deeper', evidence: `${text} is answered` })
      if (signs.length > 0) break
    }
    return conclude(signs, 'no relation that leads on to another one')
  },
}
