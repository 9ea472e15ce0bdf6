import type { OrderbyItem, QueryOptions } from '../../runtime/query/index.js'
import { keyOf } from '../discover/site.js'
import { type LeafProperty, leafValue, orderbyItem } from '../lists/properties.js'
import { onePageOptions, type QuerySite } from '../lists/related-items.js'
import { sortValues } from '../lists/sort-order.js'
import { type Sortable, sortablesOf } from '../lists/sortable.js'
import { localeComparisons } from '../oracle/text.js'
import type { Session } from '../session/session.js'
import { type Calibrator, conclude, type Observation } from './calibrator.js'
import { hasPages, probeDefaultList, probeList, probeSites } from './list-probes.js'

/** A list as returned in the order of one property. */
interface OrderProbe {
  readonly site: QuerySite
  readonly leaf: LeafProperty
  readonly values: readonly unknown[]
  /** Keys of the rows, in the same order; absent where a row has none. */
  readonly keys: readonly (string | undefined)[]
}

/**
 * Reads lists ordered by the most informative property. Calibrators that prefer the same property share a response.
 *
 * @param worth how informative a property is; 0 if not at all
 */
async function probeOrder(
  session: Session,
  direction: OrderbyItem['direction'],
  worth: (sortable: Sortable, values: readonly unknown[]) => number,
): Promise<readonly OrderProbe[]> {
  const probes: OrderProbe[] = []
  for (const site of probeSites(session, ({ orderby }) => orderby.support !== 'none', 2)) {
    const leaf = mostInformative(site, session, worth)
    if (leaf === undefined) continue
    const options: QueryOptions = { orderby: [orderbyItem(leaf.path, direction)], ...onePageOptions(site, session) }
    const listing = await probeList(site, session, options, 1)
    if (!hasPages(listing)) continue
    const sortKeys = [{ leaf, direction }]
    const snapshot = session.snapshot(site)
    probes.push({
      site,
      leaf,
      values: listing.rows.map(row => sortValues(row, sortKeys, snapshot)[0]),
      keys: listing.rows.map(row => keyOf(row, site.type)),
    })
    // The second list is needed only if the first one is too short.
    if (probes.length === 1 && listing.rows.length > 5) break
  }
  return probes
}

function mostInformative(
  site: QuerySite,
  session: Session,
  worth: (sortable: Sortable, values: readonly unknown[]) => number,
): LeafProperty | undefined {
  const rows = session.snapshot(site)?.rows ?? []
  const rated = sortablesOf(site, session).map(sortable => ({
    sortable,
    worth: worth(
      sortable,
      rows.map(row => leafValue(row, sortable.leaf.path)),
    ),
  }))
  const best = rated.sort((a, b) => b.worth - a.worth)[0]
  return best === undefined || best.worth === 0 ? undefined : best.sortable.leaf
}

type Compare = (a: string, b: string) => number

const byCodeUnits: Compare = (a, b) => (a < b ? -1 : Number(a > b))
const byCodePoints: Compare = (a, b) => byCodeUnits(codePointText(a), codePointText(b))
const byFolded =
  (fold: (text: string) => string): Compare =>
  (a, b) =>
    byCodeUnits(fold(a), fold(b))

/** The comparisons that each legal value allows. */
const orders: Readonly<Record<'ordinal' | 'caseInsensitive', readonly Compare[]>> = {
  ordinal: [byCodeUnits, byCodePoints],
  caseInsensitive: [byFolded(text => text.toLowerCase()), byFolded(text => text.toUpperCase())],
}

/** How texts sort. If letter case makes no difference in a list, it reveals nothing. */
export const stringOrder: Calibrator = {
  choice: 'stringOrder',
  learn: async session => {
    const probes = await probeOrder(session, 'asc', ({ leaf, nulls, distinct }, values) => {
      if (leaf.typeName !== 'Edm.String' || distinct < 3) return 0
      const texts = textsOf(values)
      const ordinal = [...texts].sort(byCodeUnits)
      // How many texts move if the order ignores case?
      const misplaced = ordinal.filter((text, index) =>
        isBefore(ordinal[index + 1], text, orders.caseInsensitive),
      ).length
      return Math.min(misplaced, 5) * 4 + (nulls > 0 ? 2 : 0) + 1
    })
    const isLocalLegal = session.service.open.some(
      ({ name, legal }) => name === 'stringOrder' && legal.includes('locale'),
    )
    return conclude(
      probes.flatMap(probe => observationsOf(probe, isLocalLegal)),
      'no list ordered by text in which letter case matters',
    )
  },
}

function observationsOf({ site, leaf, values }: OrderProbe, isLocalLegal: boolean): readonly Observation[] {
  const texts = textsOf(values)
  const may = (name: keyof typeof orders): boolean => orders[name].some(compare => isSorted(texts, compare))
  const place = { site, property: leaf.path.join('/') }
  const text = `${site.id} ordered by ${place.property}`
  const mayBeLocal = localeComparisons.some(compare => isSorted(texts, compare))
  // A short list may match a locale's order by chance.
  if (isLocalLegal && mayBeLocal && (may('ordinal') || may('caseInsensitive'))) return []
  if (may('ordinal') && !may('caseInsensitive'))
    return [{ value: 'ordinal', evidence: `${text} follows code points`, ...place }]
  if (may('caseInsensitive') && !may('ordinal')) {
    return [{ value: 'caseInsensitive', evidence: `${text} ignores letter case`, ...place }]
  }
  return mayBeLocal && !may('ordinal') ? [{ value: 'locale', evidence: `${text} follows a locale`, ...place }] : []
}

function textsOf(values: readonly unknown[]): readonly string[] {
  return values.filter(value => typeof value === 'string')
}

function isSorted(texts: readonly string[], compare: Compare): boolean {
  return texts.every((text, index) => {
    const next = texts[index + 1]
    return next === undefined || compare(text, next) <= 0
  })
}

function isBefore(next: string | undefined, text: string, compares: readonly Compare[]): boolean {
  return next !== undefined && compares.every(compare => compare(next, text) < 0)
}

/** Maps code points so that comparing code units compares code points. */
function codePointText(text: string): string {
  return Array.from(text, point =>
    String.fromCharCode((point.codePointAt(0) ?? 0) >> 16, (point.codePointAt(0) ?? 0) & 0xffff),
  ).join('')
}

/** At which end nulls sort, ascending and descending. */
export const nullOrder: Calibrator = {
  choice: 'nullOrder',
  after: ['stringOrder'],
  learn: async session => {
    const ascending = await probeNullsIn(session, 'asc')
    const descending = await probeNullsIn(session, 'desc')
    const observations = ascending.flatMap((up, index): readonly Observation[] => {
      const down = descending[index]
      const [first, last] = [nullPosition(up), down === undefined ? undefined : nullPosition(down)]
      if (first === undefined || last === undefined || down?.site !== up.site) return []
      const value = first === last ? first : first === 'first' ? 'lowest' : 'highest'
      const path = up.leaf.path.join('/')
      return [
        { value, evidence: `${up.site.id} ordered by ${path} has null ${first}, descending ${last}`, site: up.site },
      ]
    })
    return conclude(observations, 'no list ordered by a property that some items lack')
  },
}

/** Prefers texts: their order was probably requested before. */
function probeNullsIn(session: Session, direction: 'asc' | 'desc'): Promise<readonly OrderProbe[]> {
  return probeOrder(session, direction, ({ leaf, nulls, distinct }) => {
    if (nulls === 0) return 0
    return (leaf.typeName === 'Edm.String' ? 2 : 1) + Math.min(distinct, 20) / 100
  })
}

/** Where the nulls of a list are, if they are contiguous. */
function nullPosition({ values }: OrderProbe): 'first' | 'last' | undefined {
  const nulls = values.filter(value => value === null).length
  if (nulls === 0 || nulls === values.length) return undefined
  if (values.slice(0, nulls).every(value => value === null)) return 'first'
  return values.slice(-nulls).every(value => value === null) ? 'last' : undefined
}

/** Whether items with equal sort keys are ordered by key. */
export const tieOrder: Calibrator = {
  choice: 'tieOrder',
  after: ['nullOrder'],
  learn: async session => {
    const probes = await probeOrder(session, 'asc', ({ leaf, nulls, tied, distinct }) => {
      if (nulls < 2 && tied < 2) return 0
      return (nulls > 0 ? 2 : 0) + (leaf.typeName === 'Edm.String' ? 2 : 1) + Math.min(distinct, 20) / 100
    })
    const observations = probes.flatMap(({ site, leaf, values, keys }) =>
      values.slice(1).flatMap((value, index): readonly Observation[] => {
        const [before, after] = [keys[index], keys[index + 1]]
        if (value !== values[index] || before === undefined || after === undefined) return []
        const evidence = `${site.id} ordered by ${leaf.path.join('/')}`
        return [{ value: before < after ? 'key' : 'any', evidence, site }]
      }),
    )
    const other = observations.filter(observation => observation.value === 'any')
    return conclude(other.length > 0 ? other : observations, 'no items with equal sort keys', ['key'])
  },
}

/** Whether a list without `$orderby` has a stable order. */
export const defaultOrder: Calibrator = {
  choice: 'defaultOrder',
  learn: async session => {
    const found = await probeDefaultList(session)
    const harvested = found === undefined ? undefined : session.snapshot(found.site)
    if (found === undefined || harvested === undefined || found.listing.rows.length < 2) {
      return conclude([], 'no list could be read twice')
    }
    const { site, listing } = found
    const again = listing.rows.map(row => keyOf(row, site.type))
    const before = harvested.rows.slice(0, again.length).map(row => keyOf(row, site.type))
    const isSame = again.every((key, index) => key === before[index])
    const evidence = `${site.id}, read twice, had ${isSame ? 'the same' : 'a different'} order`
    return conclude([{ value: isSame ? 'stable' : 'unstable', evidence, site }], '', ['stable'])
  },
}
