import type { Row } from '../json.js'
import { listSites, type QuerySite } from '../lists/query-site.js'
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

/** C7: what is left of a property that was not selected. */
export const unselected: Calibrator = {
  choice: 'unselected',
  learn: async session => {
    const signs = await observeSelectedRows(session, (row, { site, name: selected }): readonly Observation[] => {
      const keys = site.type.key.map(({ name }) => name)
      const others = site.type.properties.filter(
        ({ name, returned }) => returned === 'byDefault' && !keys.includes(name) && name !== selected,
      )
      if (others.length === 0) return []
      const shown = others.filter(({ name }) => Object.hasOwn(row, name))
      if (shown.length === 0) return [{ value: 'absent', evidence: `an item of ${site.id} shows ${selected} only` }]
      const isNull = shown.every(({ name }) => row[name] === null)
      return isNull ? [{ value: 'null', evidence: `an item of ${site.id} has ${shown[0]?.name}: null` }] : []
    })
    return conclude(signs, 'no list was answered with $select')
  },
}

/** C8: whether the key comes all the same. */
export const unselectedKey: Calibrator = {
  choice: 'unselectedKey',
  learn: async session => {
    const signs = await observeSelectedRows(session, (row, { site }): readonly Observation[] => {
      const isShown = site.type.key.some(({ name }) => row[name] !== undefined && row[name] !== null)
      const witness = `an item of ${site.id} shows ${isShown ? 'its' : 'no'} key, which was not selected`
      return [{ value: isShown ? 'returned' : 'absent', evidence: witness }]
    })
    return conclude(signs, 'no list was answered with $select')
  },
}

async function observeSelectedRows(
  session: Session,
  signsOf: (row: Row, probe: SelectedProbe) => readonly Observation[],
): Promise<readonly Observation[]> {
  const probes = await probeSelection(session)
  return probes.flatMap(each => each.listing.rows.slice(0, 2).flatMap(row => signsOf(row, each)))
}

/** Items of fewer properties may be shown whole where others are not. */
const minProperties = 5

/** C9: whether all properties come without being selected that come when they are. */
export const defaultProjection: Calibrator = {
  choice: 'defaultProjection',
  learn: async session => {
    const found = await probeRichList(session)
    const rows = found?.listing.rows ?? []
    if (found === undefined || rows.length === 0) return conclude([], 'no list was read')
    const names = shownNames(found.site, session)
    const lacking = names.find(name => !rows.some(row => Object.hasOwn(row, name)))
    const never = neverShown(found.site, session)
    if (lacking === undefined && never !== undefined) {
      return conclude([], `${never} was never seen: nobody has it, or it would have to be selected, which is refused`)
    }
    const witness =
      lacking === undefined
        ? `${found.site.id} shows ${names.length} properties without $select`
        : `${found.site.id} shows ${lacking} only when it is selected`
    const signs: readonly Observation[] = [{ value: lacking === undefined ? 'all' : 'limited', evidence: witness }]
    return conclude(signs, '')
  },
}

/** A list that is read anyway, unless there is more to show in another. */
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

/** The properties that some item has, asked for or not. */
function shownNames(site: QuerySite, session: Session): readonly string[] {
  const rows = session.snapshot(site)?.rows ?? []
  return returnedByDefault(site).filter(name => rows.some(row => Object.hasOwn(row, name)))
}

/** A property that no item showed where the list could be read without `$select` only. */
function neverShown(site: QuerySite, session: Session): string | undefined {
  return returnedByDefault(site).find(name => session.snapshot(site)?.properties.has(name) === false)
}

/** The properties that may come without being asked for. */
const returnedByDefault = ({ type }: QuerySite): readonly string[] =>
  type.properties.filter(({ returned }) => returned !== 'onSelect').map(({ name }) => name)
