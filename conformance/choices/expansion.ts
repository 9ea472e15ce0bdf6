import type { ExpandItem } from '../../runtime/query/index.js'
import { isRow } from '../json.js'
import { expandableRelations, expandedRows, onePageOptions, relatedKeys } from '../lists/related-items.js'
import { readRequest } from '../rule/query-request.js'
import { isRejection } from '../rule/response.js'
import { type Calibrator, conclude, type Observation } from './calibrator.js'
import { hasPages, probeList, probeSites } from './list-probes.js'

/** More items than any usual limit would return at once. */
const longList = 200

/**
 * An expanded list that is shorter than the navigation property's own list is limited. A complete short one proves
 * nothing about longer ones.
 */
export const expandedItems: Calibrator = {
  choice: 'expandedItems',
  neededBy: ['expand'],
  learn: async session => {
    const observations: Observation[] = []
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
        if (shown > 0 && shown < known) observations.push({ value: 'limited', evidence: text, site })
        else if (shown >= longList && shown === known) observations.push({ value: 'all', evidence: text, site })
      }
      break
    }
    return conclude(observations, 'no expanded list was limited, and none was long')
  },
}

/** How the service represents a null single-valued navigation property, given that others have a value. */
export const emptyRelation: Calibrator = {
  choice: 'emptyRelation',
  neededBy: ['expand'],
  learn: async session => {
    const observations: Observation[] = []
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
          observations.push({ value: 'null', evidence: `an item of ${site.id} has ${name}: null`, site })
        } else if (!Object.hasOwn(row, name) && leads) {
          const evidence = `an item of ${site.id} has no ${name}, but another one has`
          observations.push({ value: 'absent', evidence, site })
        }
      }
    }
    return conclude(observations, 'no null single-valued navigation property was seen')
  },
}

/** Expands one level deeper than the spec declares. */
export const expandDepth: Calibrator = {
  choice: 'expandDepth',
  neededBy: [],
  learn: async session => {
    const observations: Observation[] = []
    for (const site of probeSites(session, ({ expand }) => expand.support !== 'none', 1)) {
      const relation = expandableRelations(site).find(({ type }) => type.navigation.length > 0)
      const inner = relation?.type.navigation[0]
      if (relation === undefined || inner === undefined) continue
      const { maxDepth } = site.endpoint.query.expand
      if (maxDepth > 1) continue
      const item: ExpandItem = { path: [relation.name], options: { expand: [{ path: [inner.name] }] } }
      const response = await session.send(readRequest(site, { expand: [item] }))
      const text = `${site.id} with $expand=${relation.name}($expand=${inner.name})`
      if (isRejection(response, session))
        observations.push({ value: 'declared', evidence: `${text} is rejected`, site })
      else if (response.status === 200) observations.push({ value: 'deeper', evidence: `${text} is answered`, site })
      if (observations.length > 0) break
    }
    return conclude(observations, 'no navigation property leads to another one')
  },
}
