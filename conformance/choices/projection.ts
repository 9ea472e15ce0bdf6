import type { ExpandItem } from '../../runtime/query/index.js'
import { isRow, type Row } from '../json.js'
import {
  expandableRelations,
  expandedRows,
  listSites,
  onePageOptions,
  type QuerySite,
  relatedKeys,
} from '../lists/related-items.js'
import { readRequest } from '../rule/query-request.js'
import { isRejection } from '../rule/response.js'
import type { Session } from '../session/session.js'
import { type Calibrator, conclude, type Observation } from './calibrator.js'
import {
  type DefaultListProbe,
  hasPages,
  probeDefaultList,
  probeList,
  probeSelection,
  probeSites,
  type SelectedProbe,
} from './list-probes.js'

/** What happens to a property that is not selected. */
export const unselected: Calibrator = {
  choice: 'unselected',
  learn: async session => {
    const observations = await observeSelectedRows(session, (row, { site, name: selected }): readonly Observation[] => {
      const keys = site.type.key.map(({ name }) => name)
      const others = site.type.properties.filter(
        ({ name, returned }) => returned === 'byDefault' && !keys.includes(name) && name !== selected,
      )
      if (others.length === 0) return []
      const shown = others.filter(({ name }) => Object.hasOwn(row, name))
      if (shown.length === 0)
        return [{ value: 'absent', evidence: `an item of ${site.id} shows ${selected} only`, site }]
      const isNull = shown.every(({ name }) => row[name] === null)
      return isNull ? [{ value: 'null', evidence: `an item of ${site.id} has ${shown[0]?.name}: null`, site }] : []
    })
    return conclude(observations, 'no list supports $select')
  },
}

/** Whether the key is returned although it is not selected. */
export const unselectedKey: Calibrator = {
  choice: 'unselectedKey',
  learn: async session => {
    const observations = await observeSelectedRows(session, (row, { site }): readonly Observation[] => {
      const isShown = site.type.key.some(({ name }) => row[name] !== undefined && row[name] !== null)
      const evidence = `an item of ${site.id} shows ${isShown ? 'its' : 'no'} key, which was not selected`
      return [{ value: isShown ? 'returned' : 'absent', evidence, site }]
    })
    return conclude(observations, 'no list supports $select')
  },
}

async function observeSelectedRows(
  session: Session,
  signsOf: (row: Row, probe: SelectedProbe) => readonly Observation[],
): Promise<readonly Observation[]> {
  const probes = await probeSelection(session)
  return probes.flatMap(each => each.listing.rows.slice(0, 2).flatMap(row => signsOf(row, each)))
}

/** A service may return small items completely, even if it limits larger ones. */
const minProperties = 5

/** Whether an item without `$select` has all properties that can be selected. */
export const defaultProjection: Calibrator = {
  choice: 'defaultProjection',
  learn: async session => {
    const found = await probeRichList(session)
    const rows = found?.listing.rows ?? []
    if (found === undefined || rows.length === 0) return conclude([], 'no list could be read')
    const names = shownNames(found.site, session)
    const lacking = names.find(name => !rows.some(row => Object.hasOwn(row, name) && row[name] !== null))
    const never = neverShown(found.site, session)
    if (lacking === undefined && never !== undefined) {
      return conclude([], `${never} was never returned: no item has it, or it must be selected, which is rejected`)
    }
    const evidence =
      lacking === undefined
        ? `${found.site.id} shows ${names.length} properties without $select`
        : `${found.site.id} shows ${lacking} only when it is selected`
    const observations: readonly Observation[] = [
      { value: lacking === undefined ? 'all' : 'limited', evidence, site: found.site },
    ]
    return conclude(observations, '')
  },
}

/** Uses the list that is read anyway, unless another one has more properties. */
async function probeRichList(session: Session): Promise<DefaultListProbe | undefined> {
  const found = await probeDefaultList(session)
  if (found === undefined || shownNames(found.site, session).length >= minProperties) return found
  const [richest] = listSites(session, () => true).toSorted(
    (a, b) => shownNames(b, session).length - shownNames(a, session).length,
  )
  if (richest === undefined || shownNames(richest, session).length < minProperties) return found
  const listing = await probeList(richest, session, {}, 1)
  return hasPages(listing) ? { site: richest, listing } : found
}

/** The properties that some item has. */
function shownNames(site: QuerySite, session: Session): readonly string[] {
  const rows = session.snapshot(site)?.rows ?? []
  return returnedByDefault(site).filter(name => rows.some(row => Object.hasOwn(row, name) && row[name] !== null))
}

/** A property that no item has, in a list that could be read only without `$select`. */
function neverShown(site: QuerySite, session: Session): string | undefined {
  return returnedByDefault(site).find(name => session.snapshot(site)?.properties.has(name) === false)
}

/** The properties that an item may return without `$select`. */
const returnedByDefault = ({ type }: QuerySite): readonly string[] =>
  type.properties.filter(({ returned }) => returned !== 'onSelect').map(({ name }) => name)

/** More items than any usual limit would return at once. */
const longList = 200

/** How many items an expanded list has, and its own list at least. */
interface ExpandedList {
  readonly shown: number
  readonly known: number
}

/**
 * Whether a limit can be why lists are shorter than their own: of each list, or of all lists together, after which they are empty.
 * Lists that end at different lengths are wrong.
 */
function areCutByLimit(lists: readonly ExpandedList[]): boolean {
  const longest = Math.max(0, ...lists.map(({ shown }) => shown))
  const cut = lists.findIndex(({ shown, known }) => shown > 0 && shown < known && shown < longest)
  return cut === -1 || lists.slice(cut + 1).every(({ shown }) => shown === 0)
}

/**
 * An expanded list that is shorter than the navigation property's own list is limited. A complete short one proves
 * nothing about longer ones.
 */
export const expandedItems: Calibrator = {
  choice: 'expandedItems',
  neededBy: ['expand'],
  learn: async session => {
    const observations: Observation[] = []
    for (const site of probeSites(session, ({ expand }) => expand.support !== 'none', 1, Number.POSITIVE_INFINITY)) {
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
      const lists = listing.rows.map((row): ExpandedList => {
        const shown = expandedRows(row, relation)?.length ?? 0
        const known = relatedKeys(relation, row, site.type, site, session)?.certain.size ?? 0
        // The rest is at the next link.
        return { shown, known: Object.hasOwn(row, `${relation.name}@odata.nextLink`) ? shown : known }
      })
      const isByLimit = areCutByLimit(lists)
      for (const { shown, known } of lists) {
        const text = `${relation.name} of ${site.id}, expanded, has ${shown} of ${known} items`
        if (shown > 0 && shown < known)
          observations.push({ value: isByLimit ? 'limited' : 'all', evidence: text, site })
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
