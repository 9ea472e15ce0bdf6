import { type EntityType, isSamePath, type Property } from '../../../spec/language/index.js'
import { itemEndpointOf, itemSiteOf, keyOf, type Site } from '../../discover/site.js'
import { isRow } from '../../json.js'
import { isKindOf, mayHideValues, namedType, namesType, typeOfItem } from '../../lists/properties.js'
import { readRows } from '../../lists/read-rows.js'
import { listSites } from '../../lists/related-items.js'
import { isAssumed } from '../../lists/type-mismatch.js'
import { describeDifference, isSameValue, rowDifferences } from '../../lists/values.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule, TestCase } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { valueIn } from './property-path.js'

/** @see OData 4.01 URL Conventions, 4.11 */
export const castPath: ActiveRule = {
  kind: 'active',
  id: 'cast-path',
  area: 'items',
  statement:
    'A path with a type cast leads to exactly those items of the collection that are of the type, and to the values that only this type has.',
  advice:
    'Apply the cast to the same items that the path without it returns. Items of types that derive from it are included.',
  aspects: ['collection.read', 'item.type'],
  covers: ['endpoint.collection', 'feature.propertyPaths'],
  severity: 'must',
  writes: false,
  cost: 2,
  weight: 5,
  sites: session => [
    ...listSites(session, () => true).filter(site => ownValues(site, session).length > 0),
    ...listSites(session, () => true).filter(site => baseListOf(site, session) !== undefined),
  ],
  cases: (site, session) => ({
    planned: [...(baseListOf(site, session) === undefined ? [] : [{ variant: 'list' }]), ...ownValues(site, session)],
  }),
  check: async (test, site, session) =>
    test.variant === 'list' ? checkList(site, session) : checkValue(test, site, session),
}

/** The collection whose items of one type a list contains. */
function baseListOf({ endpoint, path }: Site, { sites }: Session): Site | undefined {
  const cast = endpoint.resolved.at(-1)
  if (endpoint.kind !== 'collection' || cast?.kind !== 'cast') return undefined
  return sites.find(
    each =>
      each.endpoint.kind === 'collection' &&
      isSamePath(each.endpoint.resolved, endpoint.resolved.slice(0, -1)) &&
      path.startsWith(`${each.path}/`),
  )
}

async function checkList(site: Site, session: Session): Promise<Verdict> {
  const base = baseListOf(site, session)
  const all = base === undefined ? undefined : session.snapshot(base)
  const [list] = listSites(session, () => true).filter(({ id }) => id === site.id)
  const { type } = site
  if (base?.type === undefined || all === undefined || list === undefined || type === undefined) {
    return { kind: 'inconclusive', why: 'the collection could not be read' }
  }
  const read = await readRows(list, session, {})
  if (read.kind === 'ended') return read.verdict
  const { rows, pages, end } = read.listing
  const shown = new Map(rows.flatMap(row => keyOf(row, type) ?? []).map((key, index) => [key, rows[index]]))
  const missing: string[] = []
  const surplus: string[] = []
  for (const [key, row] of all.byKey) {
    const itsType = typeOfItem(row, base.type, session.service)
    if (itsType === undefined) continue
    const belongs = isKindOf(itsType, type)
    if (belongs && !shown.has(key) && end === 'complete') missing.push(key)
    if (!belongs && shown.has(key)) surplus.push(key)
  }
  if (all.complete) surplus.push(...[...shown.keys()].filter(key => !all.byKey.has(key)))
  const answers = pages.slice(0, 2)
  if (missing.length > 0 || surplus.length > 0) {
    return failure({
      message: `The list ${site.path} does not contain exactly the items of ${base.path} that are of its type.`,
      expected: `the items of the type ${type.qualifiedName}`,
      received: `${rows.length} items`,
      missing,
      surplus,
      answers,
      features: ['cast', missing.length > 0 ? 'missing' : 'surplus'],
    })
  }
  for (const [key, row] of shown) {
    const before = all.byKey.get(key)
    if (row === undefined || before === undefined) continue
    const [difference] = rowDifferences(before, row, type, session.service, { mayBeNull: mayHideValues(session) })
    if (difference === undefined) continue
    return failure({
      message: `An item of ${site.path} has another ${difference.property.name} than in ${base.path}.`,
      expected: `the values of the item with the key ${key}`,
      received: JSON.stringify(difference.right) ?? 'nothing',
      why: [describeDifference(difference, `in ${base.path}`, `in ${site.path}`)],
      answers,
      features: ['cast', 'values'],
    })
  }
  return { kind: 'pass', vacuous: shown.size === 0 || ![...shown.keys()].some(key => all.byKey.has(key)) }
}

/** A type and one of its own properties, in a test case as `zoo.dog/breed`. */
interface OwnProperty {
  readonly type: EntityType
  readonly property: Property
}

/** For each derived type of which a list has an item, a value that the list shows and only this type has. */
function ownValues(site: Site, session: Session): readonly TestCase[] {
  const { service } = session
  const rows = session.snapshot(site)?.byKey ?? new Map()
  if (service.features.propertyPaths === 'none' || itemEndpointOf(site, service) === undefined) return []
  const found = new Map<string, TestCase>()
  for (const [key, row] of rows) {
    const name = namedType(row)
    if (name === undefined || found.has(name)) continue
    const own = ownProperties(name, site, session).find(({ property }) => {
      const value = row[property.name]
      return value !== null && value !== undefined && property.type.kind === 'primitive'
    })
    if (own !== undefined) found.set(name, { key, name: `${name}/${own.property.name}`, variant: 'value' })
  }
  return [...found.values()]
}

function ownProperties(typeName: string, { type: declared }: Site, { service }: Session): readonly OwnProperty[] {
  const type = service.entityTypes.find(({ qualifiedName }) => qualifiedName === typeName)
  if (type === undefined || declared === undefined || type === declared || !isKindOf(type, declared)) return []
  const base = new Set(declared.properties)
  const own = type.properties.filter(each => !base.has(each) && !isAssumed(each) && !each.collection)
  return own.map(property => ({ type, property }))
}

async function checkValue({ key = '', name = '' }: TestCase, site: Site, session: Session): Promise<Verdict> {
  const snapshot = session.snapshot(site)
  const endpoint = itemEndpointOf(site, session.service)
  const at = snapshot === undefined || endpoint === undefined ? undefined : itemSiteOf(snapshot, key, endpoint)
  const [typeName = '', propertyName = ''] = name.split('/')
  const own = ownProperties(typeName, site, session).find(({ property }) => property.name === propertyName)
  if (at === undefined || own === undefined) return { kind: 'inconclusive', why: 'the item is no longer in the list' }
  const { type, property } = own
  const item = await session.send({ method: 'GET', path: at.path })
  if (item.status !== 200 || !isRow(item.json) || !namesType(item.json, type)) return { kind: 'pass', vacuous: true }
  const shown = item.json[property.name]
  if (shown === undefined) return { kind: 'pass', vacuous: true }
  const path = `${at.path}/${type.qualifiedName}/${encodeURIComponent(property.name)}`
  const response = await session.send({ method: 'GET', path })
  const inconclusive = inconclusiveVerdict(response)
  if (inconclusive !== undefined) return inconclusive
  // The spec does not say that property paths may contain casts.
  if (isRejection(response, session)) return { kind: 'unsupported', constructs: ['propertyPaths.cast'] }
  const read = valueIn(response, property)
  if (read !== undefined && isSameValue(shown, read.value, property)) return { kind: 'pass' }
  return failure({
    message: 'The path of a property with a type cast does not return the value that the item has.',
    expected: shown === null ? 'status 204' : `status 200 with ${JSON.stringify(shown).slice(0, 200)}`,
    received: describeResponse(response),
    answers: [response, item],
    features: ['cast', 'property'],
  })
}
