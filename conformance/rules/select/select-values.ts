import type { QueryOptions, SelectItem } from '../../../runtime/query/index.js'
import type { EntityType, Property } from '../../../spec/language/index.js'
import { keyOf, onePerEndpoint, type Snapshot } from '../../discover/site.js'
import { isRow, type Row } from '../../json.js'
import {
  declaredProperties,
  mayHideValues,
  orderbyItem,
  selectedNames,
  selectItems,
  unselectedProperties,
} from '../../lists/properties.js'
import { queryText, readRows, rejectedVerdict } from '../../lists/read-rows.js'
import { itemSites, listSites, type QuerySite, querySite } from '../../lists/related-items.js'
import { sortablesOf } from '../../lists/sortable.js'
import { isAssumed } from '../../lists/type-mismatch.js'
import { isSameValue } from '../../lists/values.js'
import { searchCapabilitiesOf, searchTerms } from '../../probes/search.js'
import { constructsOf, readRequest } from '../../rule/query-request.js'
import { inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import type { Listing, Session } from '../../session/session.js'

/** @see OData Protocol 4.01, 11.2.5.1 */
export const selectValues: ActiveRule = {
  kind: 'active',
  id: 'select-values',
  area: 'select',
  statement: 'Selected properties have the same values as without $select.',
  advice:
    'Check properties whose name is part of another name, and properties that are null: these get lost or changed most often.',
  aspects: ['select.properties'],
  covers: ['select'],
  severity: 'must',
  writes: false,
  requiredOptions: ['select'],
  cost: 1,
  weight: 14,
  // Names that contain each other are confused most easily.
  sites: session =>
    [...listSites(session, ({ select }) => select !== 'none')].sort(
      (a, b) => Number(alikeNames(b.type).length > 0) - Number(alikeNames(a.type).length > 0),
    ),
  cases: (site, session) => {
    const found = querySite(site)
    if (found === undefined || (session.snapshot(site)?.rows.length ?? 0) === 0)
      return { skipReason: 'a list with items' }
    const named = plannedSelections(found.type, knownNames([session.snapshot(site)])).map(names => selectItems(names))
    // Paths and * are part of OData; an interface may support only names.
    const isWhole = found.endpoint.query.select === 'required'
    const [first, second, ...others] = named
    const all = [...(isWhole ? special(found.type) : []), ...others]
    const alone = all.map((select): QueryOptions => ({ select }))
    const halves = [first, second].flatMap((select): readonly QueryOptions[] =>
      select === undefined ? [] : [{ select }],
    )
    const queries = first === undefined ? alone : [...halves, ...besideSelect(first, found, session), ...alone]
    return { planned: queries.map(options => ({ options })) }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    const snapshot = session.snapshot(site)
    if (found === undefined || snapshot === undefined) return { kind: 'inconclusive', why: 'no list' }
    if (options.select === undefined) return { kind: 'pass', vacuous: true }
    const reading = await readRows(found, session, options, { pages: 1 })
    if (reading.kind === 'ended') return reading.verdict
    const { rows, pages } = reading.listing
    for (const row of rows) {
      const difference = selectedDifference(row, options, found.type, snapshot, session)
      if (difference === undefined) continue
      const { name, key, ...rest } = difference
      return failure({
        message: `With ${queryText(options)}, the property ${name} does not have its expected value.`,
        ...rest,
        ...(key === undefined ? {} : { missing: [key] }),
        answers: pages,
      })
    }
    return (await lostVerdict(reading.listing, options, found, session)) ?? { kind: 'pass', vacuous: rows.length === 0 }
  },
}

/**
 * The snapshot itself can rest on reads with `$select`. So if items lack a selected property, they must lack it without `$select`, too.
 */
async function lostVerdict(
  { rows, pages }: Listing,
  { select = [] }: QueryOptions,
  site: QuerySite,
  session: Session,
): Promise<Verdict | undefined> {
  const declared = new Set(site.type.properties.map(({ name }) => name))
  const names = [...selectedNames(select)].filter(
    name => declared.has(name) && !rows.every(row => Object.hasOwn(row, name)),
  )
  if (names.length === 0) return undefined
  const plain = await readRows(site, session, {}, { pages: 1 })
  if (plain.kind === 'ended') return undefined
  const byKey = new Map(plain.listing.rows.map(row => [keyOf(row, site.type), row]))
  for (const row of rows) {
    const key = keyOf(row, site.type)
    const before = key === undefined ? undefined : byKey.get(key)
    const name = before && names.find(each => !Object.hasOwn(row, each) && (before[each] ?? null) !== null)
    if (key === undefined || before === undefined || name === undefined) continue
    return failure({
      message: `With ${queryText({ select })}, an item lacks ${name}.`,
      expected: `${name}: ${textOf(before[name])}, as without $select`,
      received: `no ${name}`,
      missing: [key],
      answers: [...pages, ...plain.listing.pages],
      features: ['select', 'absent'],
    })
  }
  return undefined
}

/** A selection beside each of the other options: one of them may have a code path in which `$select` is forgotten. */
function besideSelect(select: readonly SelectItem[], site: QuerySite, session: Session): readonly QueryOptions[] {
  const snapshot = session.snapshot(site)
  const capabilities = searchCapabilitiesOf(site)
  const [term] = snapshot === undefined || capabilities === undefined ? [] : searchTerms(snapshot, capabilities)
  const [sortable] = sortablesOf(site, session)
  return [
    ...(term === undefined ? [] : [{ select, search: term.search }]),
    ...(sortable === undefined ? [] : [{ select, orderby: [orderbyItem(sortable.leaf.path, 'desc')] }]),
  ]
}

/** A member of a complex value, as a path and with a nested `$select`, and `*`. */
function special({ key, properties }: EntityType): readonly (readonly SelectItem[])[] {
  const keys = selectItems(key.map(({ name }) => name))
  const inner = properties.find(({ type, collection, returned }) => {
    return type.kind === 'complexType' && !collection && returned !== 'onSelect' && type.properties.length > 1
  })
  const member = inner?.type.kind === 'complexType' ? inner.type.properties[0] : undefined
  if (inner === undefined || member === undefined) return [[{ path: ['*'] }]]
  return [
    [...keys, { path: [inner.name, member.name] }],
    [...keys, { path: [inner.name], options: { select: selectItems([member.name]) } }],
    [{ path: ['*'] }],
  ]
}

/** @see OData Protocol 4.01, 11.2.5.1 */
export const selectItem: ActiveRule = {
  kind: 'active',
  id: 'select-item',
  area: 'select',
  statement: '$select applies to a single item as it does to a list.',
  advice: 'Single items often use another code path, in which $select is forgotten.',
  aspects: ['select.properties', 'select.unselected'],
  covers: ['select'],
  severity: 'must',
  writes: false,
  requiredOptions: ['select'],
  cost: 2,
  weight: 5,
  sites: session => onceFirst(itemSites(session, ({ select }) => select !== 'none')),
  cases: (site, session) => {
    const found = querySite(site)
    const names = found === undefined ? [] : plannedSelections(found.type, knownNames(snapshotsOf(found.type, session)))
    if (found === undefined || found.type.properties.length === found.type.key.length) {
      return { skipReason: 'a type with properties other than its key' }
    }
    const keys = selectItems(found.type.key.map(({ name }) => name))
    // What the interface does not name, the item may show nevertheless.
    if (names.length === 0)
      return { planned: [{ options: { select: keys } }, { options: { select: keys }, variant: shownProperties }] }
    return { planned: names.map(each => ({ options: { select: selectItems(each) } })) }
  },
  check: async ({ options: given = {}, variant }, site, session) => {
    const found = querySite(site)
    if (found === undefined) return { kind: 'inconclusive', why: 'no item' }
    if (given.select === undefined) return { kind: 'pass', vacuous: true }
    const constructs = constructsOf(given)
    if (!session.support.maySend(site, constructs)) return { kind: 'unsupported', constructs }
    const plain = await session.send(readRequest(site))
    const whole = rowOf(plain.status, plain.json)
    if (whole === undefined)
      return inconclusiveVerdict(plain) ?? { kind: 'inconclusive', why: `no item: status ${plain.status}` }
    const select = variant === shownProperties ? shownIn(whole, found) : given.select
    if (variant === shownProperties && select.length <= found.type.key.length) return { kind: 'pass', vacuous: true }
    const options = { ...given, select }
    const response = await session.send(readRequest(site, options))
    const row = rowOf(response.status, response.json)
    if (row === undefined) return rejectedVerdict(response, options, found, session)
    const key = keyOf(whole, found.type) ?? ''
    // Null may stand for a value that was not requested.
    const known = Object.entries(whole).filter(([, value]) => value !== null || !mayHideValues(session))
    const byKey = new Map([[key, Object.fromEntries(known)]])
    const difference =
      selectedDifference(row, options, found.type, { byKey }, session) ?? lostInItem(row, key, options, found, session)
    if (difference === undefined) return { kind: 'pass' }
    return failure({
      message: `With ${queryText(options)}, the item does not have the expected ${difference.name}.`,
      expected: difference.expected,
      received: difference.received,
      answers: [response, plain],
      features: [...difference.features, 'item'],
    })
  },
}

const shownProperties = 'properties that the item shows'

/** The key of an item, and two other properties that it shows. */
function shownIn(item: Row, { type }: QuerySite): readonly SelectItem[] {
  const names = [...type.key, ...type.properties.filter(property => !type.key.includes(property))].map(
    ({ name }) => name,
  )
  return selectItems(names.filter(name => (item[name] ?? null) !== null).slice(0, type.key.length + 2))
}

/** A selected property that the item lacks, although a list shows it. */
function lostInItem(
  row: Row,
  key: string,
  { select = [] }: QueryOptions,
  { type }: QuerySite,
  session: Session,
): SelectedDifference | undefined {
  for (const name of selectedNames(select)) {
    const shown = snapshotsOf(type, session).map(each => each?.byKey.get(key)?.[name] ?? null)
    const value = shown.find(each => each !== null)
    if (value === undefined || Object.hasOwn(row, name)) continue
    return {
      name,
      expected: `${name}: ${textOf(value)}, as in the list`,
      received: `no ${name}`,
      features: ['select', 'absent'],
    }
  }
  return undefined
}

/** One site of each endpoint before another one of any. */
function onceFirst(sites: readonly QuerySite[]): readonly QuerySite[] {
  const first = new Set(onePerEndpoint(sites).map(({ id }) => id))
  return [...sites.filter(({ id }) => first.has(id)), ...sites.filter(({ id }) => !first.has(id))]
}

/** The harvested lists of a type. */
function snapshotsOf(type: EntityType, { sites, snapshot }: Session): readonly (Snapshot | undefined)[] {
  return sites.filter(site => site.type === type).map(snapshot)
}

/** The properties that lists show. */
function knownNames(snapshots: readonly (Snapshot | undefined)[]): ReadonlySet<string> {
  return new Set(snapshots.flatMap(each => [...(each?.properties ?? []), ...(each?.malformed ?? [])]))
}

function rowOf(status: number, json: unknown): Row | undefined {
  return status === 200 && isRow(json) ? json : undefined
}

/**
 * Selections in which each property is selected at least once and omitted at least once: every other property and those
 * with similar names, then the rest, then all. Each includes the key.
 *
 * @param known the properties that lists of the type show. The service may lack others, which the interface names for other
 *   types, or not at all, and refuse to select them. Empty if no list was read.
 */
function plannedSelections(type: EntityType, known: ReadonlySet<string>): readonly (readonly string[])[] {
  const keys = type.key.map(({ name }) => name)
  const isStream = ({ type: of }: Property): boolean => of.kind === 'primitive' && of.name === 'Stream'
  const isNamed = (property: Property): boolean => {
    if (known.has(property.name)) return true
    return !isAssumed(property) && (known.size === 0 || property.returned === 'onSelect')
  }
  const names = type.properties
    .filter(property => !keys.includes(property.name) && !isStream(property) && isNamed(property))
    .map(({ name }) => name)
  const alike = names.filter(name =>
    names.some(other => other !== name && (other.includes(name) || name.includes(other))),
  )
  const even = names.filter((name, index) => index % 2 === 0 || alike.includes(name))
  const odd = names.filter((_, index) => index % 2 === 1)
  // In another order than the type's, too.
  return [even, odd.toReversed(), names].filter(each => each.length > 0).map(each => [...keys, ...each])
}

/** Names that contain each other, such as `mail` and `mailNickname`. */
function alikeNames(type: EntityType): readonly string[] {
  const keys = type.key.map(({ name }) => name)
  const names = type.properties.map(({ name }) => name).filter(name => !keys.includes(name))
  return names.filter(name =>
    names.some(other => {
      const [a, b] = [name.toLowerCase(), other.toLowerCase()]
      return a !== b && (a.includes(b) || b.includes(a))
    }),
  )
}

/** A difference between a row and what `$select` and the snapshot predict. */
interface SelectedDifference {
  readonly name: string
  readonly key?: string
  readonly expected: string
  readonly received: string
  readonly features: readonly string[]
}

/** The first difference of a row. Rows that are not in the snapshot are not compared. */
function selectedDifference(
  row: Row,
  { select = [] }: QueryOptions,
  type: EntityType,
  snapshot: Pick<Snapshot, 'byKey'>,
  session: Pick<Session, 'service' | 'choices'>,
): SelectedDifference | undefined {
  const selected = selectedNames(select)
  const paths = select.flatMap(pathsOf)
  const key = keyOf(row, type)
  const at = key === undefined ? {} : { key }
  const [shown] = unselectedProperties(row, selected, type, session)
  if (shown !== undefined) {
    const received = `${shown}: ${textOf(row[shown])}`
    return { name: shown, ...at, expected: `no ${shown}`, received, features: ['select', 'shown'] }
  }
  const known = key === undefined ? undefined : snapshot.byKey.get(key)
  if (known === undefined) return undefined
  const { properties } = declaredProperties(type, session.service)
  const names = selected.has('*')
    ? type.properties.flatMap(each => (each.returned === 'onSelect' ? [] : each.name))
    : selected
  for (const name of names) {
    const property = properties.get(name)
    if (property === undefined || !Object.hasOwn(known, name)) continue
    const member = unselectedMember(row[name], name, paths, property)
    if (member !== undefined) {
      const received = `${name}: ${textOf(row[name])}`
      return {
        name: `${name}/${member}`,
        ...at,
        expected: `no ${name}/${member}`,
        received,
        features: ['select', 'path'],
      }
    }
    const lost = lostMember(row[name], known[name], name, paths)
    if (lost !== undefined) {
      return {
        name: `${name}/${lost}`,
        ...at,
        expected: `${name}: ${textOf(known[name])}`,
        received: `${name}: ${textOf(row[name])}`,
        features: ['select', 'member'],
      }
    }
    if (isSameValue(row[name], known[name], property)) continue
    const isAbsent = !Object.hasOwn(row, name)
    return {
      name,
      ...at,
      expected: `${name}: ${textOf(known[name])}`,
      received: isAbsent ? `no ${name}` : `${name}: ${textOf(row[name])}`,
      features: ['select', isAbsent ? 'absent' : 'value'],
    }
  }
  return undefined
}

/** The paths that an item of `$select` stands for: `place/city` is `place($select=city)`. */
function pathsOf({ path, options }: SelectItem): readonly (readonly string[])[] {
  return options?.select?.flatMap(pathsOf).map(inner => [...path, ...inner]) ?? [path]
}

/** A selected member that a complex value has without `$select`, and lacks with it. */
function lostMember(
  shown: unknown,
  known: unknown,
  name: string,
  paths: readonly (readonly string[])[],
): string | undefined {
  if (!isRow(shown) || !isRow(known)) return undefined
  const members = paths.filter(([first]) => first === name).map(([, member]) => member)
  const isWhole = members.every(member => member === undefined)
  return Object.keys(known).find(member => {
    const isSelected = isWhole ? !member.includes('@') : members.includes(member)
    return isSelected && known[member] !== null && !Object.hasOwn(shown, member)
  })
}

/** A member of a complex value that was not selected but is shown. */
function unselectedMember(
  value: unknown,
  name: string,
  paths: readonly (readonly string[])[],
  { type, collection }: Property,
): string | undefined {
  const members = paths.filter(([first]) => first === name).map(([, member]) => member)
  if (collection || type.kind !== 'complexType' || members.length === 0 || members.includes(undefined)) return undefined
  if (!isRow(value)) return undefined
  const shown = type.properties.find(each => {
    const isShown = Object.hasOwn(value, each.name) && value[each.name] !== null
    return isShown && !members.includes(each.name)
  })
  return shown?.name
}

function textOf(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
