import type { NavigationProperty } from '../../../spec/language/index.js'
import { permittedValues } from '../../choices/choices.js'
import { keyOf, type Snapshot } from '../../discover/site.js'
import { isRow, type Row } from '../../json.js'
import { readRows, rejectedVerdict } from '../../lists/read-rows.js'
import {
  expandableRelations,
  expandedRows,
  listSites,
  onePageOptions,
  type QuerySite,
  querySite,
} from '../../lists/related-items.js'
import { readRequest } from '../../rule/query-request.js'
import type { ActiveRule, Finding } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'
import { itemEndpointOf, itemSiteOf } from '../items/item-endpoint.js'

/** Rows of one list that are read alone. */
const rowsPerCase = 4

/** @see OData Protocol 4.01, 11.2.5.2 */
export const expandEach: ActiveRule = {
  kind: 'active',
  id: 'expand-each',
  area: 'expand',
  statement: 'Each item of an expanded list has the same related items as when it is read alone.',
  advice:
    'Look up related items for each item of the page. Common causes: a related item that several items share is attached to the first of them only, or only the first item is expanded.',
  aspects: ['expand.related', 'item.read'],
  covers: ['expand'],
  severity: 'must',
  writes: false,
  requiredOptions: ['expand'],
  cost: 3,
  weight: 5,
  sites: session =>
    listSites(session, ({ expand }) => expand.support !== 'none').filter(site => relationsOf(site, session).length > 0),
  cases: (site, session) => {
    const found = querySite(site)
    if (found === undefined || (session.snapshot(site)?.rows.length ?? 0) === 0) {
      return { skipReason: 'a list with items' }
    }
    const page = onePageOptions(found, session)
    return {
      planned: relationsOf(found, session).map(({ name }) => ({ options: { expand: [{ path: [name] }], ...page } })),
    }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    const snapshot = session.snapshot(site)
    const endpoint = itemEndpointOf(site, session.service)
    const name = options.expand?.[0]?.path.join('/')
    const relation = found && relationsOf(found, session).find(each => each.name === name)
    if (found === undefined || snapshot === undefined || endpoint === undefined || relation === undefined) {
      return { kind: 'inconclusive', why: 'no list' }
    }
    const reading = await readRows(found, session, options)
    if (reading.kind === 'ended') return reading.verdict
    const { rows, pages } = reading.listing
    let shown = 0
    for (const row of chosenRows(rows, relation, snapshot)) {
      const item = itemSiteOf(snapshot, keyOf(row, found.type) ?? '', endpoint)
      if (item === undefined) continue
      const query = { expand: [{ path: [relation.name] }] }
      const response = await session.send(readRequest(item, query))
      if (response.status !== 200 || !isRow(response.json)) {
        const alone = querySite(item)
        return alone === undefined
          ? { kind: 'inconclusive', why: 'the item cannot be read alone' }
          : rejectedVerdict(response, query, alone, session)
      }
      shown += expandedRows(response.json, relation)?.length ?? 0
      const difference = differenceOf(row, response.json, relation, session)
      if (difference === undefined) continue
      const finding: Finding = {
        ...difference,
        message: `An item of a list with $expand=${relation.name} has other related items than when it is read alone.`,
        missing: [keyOf(row, found.type) ?? ''],
        answers: [...pages.slice(0, 1), response],
        features: ['expand', 'each'],
      }
      return { kind: 'fail', finding }
    }
    return { kind: 'pass', vacuous: shown === 0 }
  },
}

/** The relations that can be expanded in the list and in its items. */
function relationsOf(site: QuerySite, { service }: Pick<Session, 'service'>): readonly NavigationProperty[] {
  const relations = itemEndpointOf(site, service)?.query?.expand.relations ?? {}
  return expandableRelations(site).filter(({ name }) => (relations[name] ?? 'none') !== 'none')
}

/** Rows at the end without related items, then one that shares a related item with an earlier row, then others. */
function chosenRows(
  rows: readonly Row[],
  relation: NavigationProperty,
  { byKey, site: { type } }: Snapshot,
): readonly Row[] {
  const seen = new Set<string>()
  const ranked = rows.map((row, index) => {
    const keys = shownKeys(row, relation) ?? []
    const isShared = keys.some(key => seen.has(key))
    for (const key of keys) seen.add(key)
    return { row, rank: keys.length === 0 ? 0 : isShared ? 1 : 2, index }
  })
  const known = ranked.filter(({ row }) => type !== undefined && byKey.has(keyOf(row, type) ?? ''))
  const first = (rank: number): readonly Row[] => known.filter(each => each.rank === rank).map(({ row }) => row)
  const [empty, shared, others] = [first(0).toReversed(), first(1), first(2).toReversed()]
  return [...empty.slice(0, 2), ...shared.slice(0, 1), ...others, ...shared.slice(1), ...empty.slice(2)].slice(
    0,
    rowsPerCase,
  )
}

function differenceOf(
  row: Row,
  alone: Row,
  relation: NavigationProperty,
  session: Session,
): Pick<Finding, 'expected' | 'received'> | undefined {
  const [inList, read] = [shownKeys(row, relation), shownKeys(alone, relation)]
  if (inList === undefined || read === undefined) return undefined
  // The service may limit the expanded items of a list and of an item differently.
  if (relation.collection && permittedValues(session, 'expandedItems', 'all').includes('limited')) return undefined
  const [a, b] = [new Set(inList), new Set(read)]
  if (a.size === b.size && [...a].every(key => b.has(key))) return undefined
  const texts = (keys: readonly string[]): string => keys.slice(0, 10).join(', ') || `no ${relation.name}`
  return { expected: `as when it is read alone: ${texts(read)}`, received: texts(inList) }
}

/** The keys of the expanded items of a row. Undefined if they show none. */
export function shownKeys(row: Row, relation: NavigationProperty): readonly string[] | undefined {
  const keys = expandedRows(row, relation)?.map(each => keyOf(each, relation.type))
  return keys?.every(key => key !== undefined) === true ? keys : undefined
}
