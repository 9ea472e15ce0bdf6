import { listSites, type QuerySite } from '../../reading/list-sites.js'
import type { Session } from '../../session/session.js'
import type { Calibrator } from '../calibrator.js'
import { lessonOf, type Sign } from './lessons.js'
import { type PlainProbe, plainProbe } from './plain-probe.js'
import { isRead, probe } from './probe.js'

/** Items of fewer properties may be shown whole where others are not. */
const enough = 5

/** C9: whether all properties come without being selected that come when they are. */
export const defaultProjection: Calibrator = {
  choice: 'defaultProjection',
  learn: async session => {
    const found = await tellingProbe(session)
    const rows = found?.listing.rows ?? []
    if (found === undefined || rows.length === 0) return lessonOf([], 'no list was read')
    const names = namesOf(found.site, session)
    const lacking = names.find(name => !rows.some(row => Object.hasOwn(row, name)))
    const never = neverShown(found.site, session)
    if (lacking === undefined && never !== undefined) {
      return lessonOf([], `${never} was never seen: nobody has it, or it would have to be selected, which is refused`)
    }
    const witness =
      lacking === undefined
        ? `${found.site.id} shows ${names.length} properties without $select`
        : `${found.site.id} shows ${lacking} only when it is selected`
    const signs: readonly Sign[] = [{ value: lacking === undefined ? 'all' : 'limited', witness }]
    return lessonOf(signs, '')
  },
}

/** A list that is read anyway, unless there is more to show in another. */
async function tellingProbe(session: Session): Promise<PlainProbe | undefined> {
  const found = await plainProbe(session)
  if (found === undefined || namesOf(found.site, session).length >= enough) return found
  const [richest] = listSites(session, () => true).toSorted(
    (a, b) => namesOf(b, session).length - namesOf(a, session).length,
  )
  if (richest === undefined || namesOf(richest, session).length < enough) return found
  const listing = await probe(richest, session, {}, 1)
  return isRead(listing) ? { site: richest, listing } : found
}

/** The properties that some item has, asked for or not. */
function namesOf(site: QuerySite, session: Session): readonly string[] {
  const rows = session.snapshot(site)?.rows ?? []
  return unasked(site).filter(name => rows.some(row => Object.hasOwn(row, name)))
}

/** A property that no item showed where the list could be read without `$select` only. */
function neverShown(site: QuerySite, session: Session): string | undefined {
  return unasked(site).find(name => session.snapshot(site)?.properties.has(name) === false)
}

/** The properties that may come without being asked for. */
const unasked = ({ type }: QuerySite): readonly string[] =>
  type.properties.filter(({ returned }) => returned !== 'onSelect').map(({ name }) => name)
