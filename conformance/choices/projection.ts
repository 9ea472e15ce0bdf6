import type { Row } from '../json.js'
import { listSites, type QuerySite } from '../lists/related-items.js'
import type { Session } from '../session/session.js'
import { type Calibrator, conclude, type Observation } from './calibrator.js'
import {
  type DefaultListProbe,
  hasPages,
  probeDefaultList,
  probeList,
  probeSelection,
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
