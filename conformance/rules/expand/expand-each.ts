import type { ExpandItem } from '../../../runtime/query/index.js'
import type { NavigationProperty } from '../../../spec/language/index.js'
import { permittedValues } from '../../choices/choices.js'
import { itemEndpointOf, itemSiteOf, keyOf, type Site, type Snapshot } from '../../discover/site.js'
import { isRow, type Row } from '../../json.js'
import { selectItems } from '../../lists/properties.js'
import { readRows, rejectedVerdict } from '../../lists/read-rows.js'
import {
  expandableRelations,
  expandedRows,
  itemSites,
  listSites,
  onePageOptions,
  type QuerySite,
  querySite,
} from '../../lists/related-items.js'
import { isAssumed } from '../../lists/type-mismatch.js'
import { isSameValue } from '../../lists/values.js'
import { constructsOf, readRequest } from '../../rule/query-request.js'
import type { ActiveRule } from '../../rule/rule.js'
import { type Finding, failure } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { relatedMismatch } from './related-items.js'

/** Rows of one list that are read alone. */
const rowsPerCase = 5

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
  weight: 9,
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
    const longest = Math.max(0, ...rows.map(row => shownKeys(row, relation)?.length ?? 0))
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
      const before = shown
      shown += expandedRows(response.json, relation)?.length ?? 0
      const unasked = before === 0 && shown > 0 ? await unaskedRelation(item, relation, session) : undefined
      if (unasked !== undefined) return failure(unasked)
      const difference = differenceOf(row, response.json, relation, longest, session)
      if (difference === undefined) continue
      return failure({
        ...difference,
        message: `An item of a list with $expand=${relation.name} has other related items than when it is read alone.`,
        missing: [keyOf(row, found.type) ?? ''],
        answers: [...pages.slice(0, 1), response],
        features: ['expand', 'each'],
      })
    }
    return { kind: 'pass', vacuous: shown === 0 }
  },
}

/** Reads an item that has related items without `$expand`. */
async function unaskedRelation(
  item: Site,
  { name }: NavigationProperty,
  session: Session,
): Promise<Finding | undefined> {
  const response = await session.send(readRequest(item))
  const value = response.status === 200 && isRow(response.json) ? response.json[name] : undefined
  if (value === undefined || value === null) return undefined
  return {
    message: `A single item returns its relation ${name}, although it was not expanded.`,
    expected: `no ${name}`,
    received: `${name}: ${JSON.stringify(value).slice(0, 80)}`,
    answers: [response],
    features: ['expand', 'unasked', 'item'],
  }
}

/** The relations that can be expanded in the list and in its items. */
function relationsOf(site: QuerySite, { service }: Pick<Session, 'service'>): readonly NavigationProperty[] {
  const relations = itemEndpointOf(site, service)?.query?.expand.relations ?? {}
  return expandableRelations(site).filter(({ name }) => (relations[name] ?? 'none') !== 'none')
}

/** Rows at the end without related items, then two that share a related item with an earlier row, then others. */
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
  return [...empty.slice(0, 2), ...shared.slice(0, 2), ...others, ...shared.slice(2), ...empty.slice(2)].slice(
    0,
    rowsPerCase,
  )
}

function differenceOf(
  row: Row,
  alone: Row,
  relation: NavigationProperty,
  longest: number,
  session: Session,
): Pick<Finding, 'expected' | 'received'> | undefined {
  const [inList, read] = [shownKeys(row, relation), shownKeys(alone, relation)]
  if (inList === undefined || read === undefined) return undefined
  // The service may limit the expanded items of a list and of an item differently.
  const link = `${relation.name}@odata.nextLink`
  if (Object.hasOwn(row, link) || Object.hasOwn(alone, link)) return undefined
  const mayBeLimited = relation.collection && permittedValues(session, 'expandedItems', 'all').includes('limited')
  const [a, b] = [new Set(inList), new Set(read)]
  if (a.size === b.size && [...a].every(key => b.has(key))) return otherValue(row, alone, relation)
  if (mayBeLimited && isLimitedAlike(a, b, longest)) return undefined
  const texts = (keys: readonly string[]): string => keys.slice(0, 10).join(', ') || `no ${relation.name}`
  return { expected: `as when it is read alone: ${texts(read)}`, received: texts(inList) }
}

/** The first value of a related item, named by the interface, that a list and the item alone show differently. */
function otherValue(
  row: Row,
  alone: Row,
  relation: NavigationProperty,
): Pick<Finding, 'expected' | 'received'> | undefined {
  const { type, name } = relation
  const named = type.properties.filter(property => !isAssumed(property) && property.stamp === undefined)
  const byKey = new Map((expandedRows(alone, relation) ?? []).map(each => [keyOf(each, type), each]))
  for (const inList of expandedRows(row, relation) ?? []) {
    const read = byKey.get(keyOf(inList, type))
    const other = named.find(property => {
      const [one, two] = [inList[property.name] ?? null, read?.[property.name] ?? null]
      return one !== null && two !== null && !isSameValue(one, two, property, 'shown')
    })
    if (other === undefined) continue
    const textOf = (each: Row | undefined): string => `${name}/${other.name}: ${JSON.stringify(each?.[other.name])}`
    return { expected: `as when it is read alone: ${textOf(read)}`, received: textOf(inList) }
  }
  return undefined
}

/** Whether a limit can explain that the lists differ: it leaves something of each list, and both begin with the same items. */
function isLimitedAlike(inList: ReadonlySet<string>, alone: ReadonlySet<string>, longest: number): boolean {
  if (inList.size === 0) return longest > 0
  return [...inList].some(key => alone.has(key))
}

/** The keys of the expanded items of a row. Undefined if they show none. */
export function shownKeys(row: Row, relation: NavigationProperty): readonly string[] | undefined {
  const keys = expandedRows(row, relation)?.map(each => keyOf(each, relation.type))
  return keys?.every(key => key !== undefined) === true ? keys : undefined
}

/** @see OData Protocol 4.01, 11.2.5.2 */
export const expandItem: ActiveRule = {
  kind: 'active',
  id: 'expand-item',
  area: 'expand',
  statement: '$expand applies to a single item as it does to a list.',
  advice: 'Single items often use another code path, in which $expand is forgotten.',
  aspects: ['expand.related', 'item.read'],
  covers: ['expand', 'expand.select'],
  severity: 'must',
  writes: false,
  requiredOptions: ['expand'],
  cost: 1,
  weight: 7,
  sites: session => itemSites(session, ({ expand }) => expand.support !== 'none'),
  cases: site => {
    const found = querySite(site)
    const relations = found === undefined ? [] : expandableRelations(found)
    if (found === undefined || relations.length === 0) return { skipReason: 'a relation to expand' }
    const ranked = [...relations].sort((a, b) => Number(b.collection) - Number(a.collection))
    const plain = ranked.map(({ name }): ExpandItem => ({ path: [name] }))
    const narrowed = ranked.map(({ name, type }): ExpandItem => {
      const names = [...new Set([...type.key, ...type.properties.slice(0, 2)].map(each => each.name))]
      return { path: [name], options: { select: selectItems(names) } }
    })
    const maySelect = found.endpoint.query.expand.nested.includes('select')
    const isSelectable = found.endpoint.query.select !== 'none'
    const select = selectItems(found.type.key.map(({ name }) => name))
    const cases = [
      ...plain.flatMap(item => [{ expand: [item] }, ...(isSelectable ? [{ select, expand: [item] }] : [])]),
      ...(maySelect ? narrowed.map(item => ({ expand: [item] })) : []),
    ]
    return { planned: cases.map(options => ({ options })) }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    if (found === undefined) return { kind: 'inconclusive', why: 'no item' }
    const constructs = constructsOf(options)
    if (!session.support.maySend(site, constructs)) return { kind: 'unsupported', constructs }
    const response = await session.send(readRequest(site, options))
    const row = response.status === 200 && isRow(response.json) ? response.json : undefined
    if (row === undefined) return rejectedVerdict(response, options, found, session)
    let shown = 0
    for (const item of options.expand ?? []) {
      const relation = expandableRelations(found).find(({ name }) => name === item.path.join('/'))
      if (relation === undefined) continue
      const fault = relatedMismatch(row, item, relation, found.type, site, session)
      if (fault !== undefined) {
        return failure({ ...fault, answers: [response], features: [...fault.features, 'item'] })
      }
      shown += expandedRows(row, relation)?.length ?? 0
      const lost = options.select === undefined ? undefined : await lostBesideSelect(row, item, relation, site, session)
      if (lost !== undefined) return failure({ ...lost, answers: [response, ...lost.answers] })
    }
    return { kind: 'pass', vacuous: shown === 0 }
  },
}

/** Compares with the same `$expand` without `$select`. */
async function lostBesideSelect(
  row: Row,
  item: ExpandItem,
  relation: NavigationProperty,
  site: Site,
  session: Session,
): Promise<Finding | undefined> {
  const response = await session.send(readRequest(site, { expand: [item] }))
  const whole = response.status === 200 && isRow(response.json) ? shownKeys(response.json, relation) : undefined
  const shown = shownKeys(row, relation) ?? []
  if (whole === undefined || whole.length === 0 || shown.length > 0) return undefined
  return {
    message: `With $select, the item does not contain the expanded relation ${relation.name}.`,
    expected: `${relation.name}: ${whole.slice(0, 10).join(', ')}`,
    received: Object.hasOwn(row, relation.name) ? 'no related items' : `no ${relation.name}`,
    answers: [response],
    features: ['expand', 'select', 'item'],
  }
}
