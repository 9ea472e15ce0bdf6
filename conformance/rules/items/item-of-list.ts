import fc from 'fast-check'
import type { QueryOptions } from '../../../runtime/query/index.js'
import type { EntityType } from '../../../spec/language/index.js'
import { permittedValues } from '../../choices/choices.js'
import { itemEndpointOf, itemSiteOf, keyOf, keysToTry, type Site } from '../../discover/site.js'
import { isRow, type Row } from '../../json.js'
import { mayHideValues } from '../../lists/properties.js'
import { describeDifference, rowDifferences } from '../../lists/values.js'
import { readRequest } from '../../rule/query-request.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { nullsWhenSelected } from './item-elsewhere.js'

/** Items that differ from one another come first. */
const plannedItems = 5

export const itemOfList: ActiveRule = {
  kind: 'active',
  id: 'item-of-list',
  area: 'items',
  statement: 'Every item of a list can be read by its key, and has the same values as in the list.',
  advice:
    'Decode keys exactly once; characters such as % / + and quotes may be part of a key. If values differ, the list and the item use different code: create the JSON of an item in one function.',
  aspects: ['item.read', 'collection.read', 'relation.path'],
  covers: ['endpoint.item', 'endpoint.collection'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 6,
  sites: session =>
    session.sites
      .filter(site => itemEndpointOf(site, session.service) !== undefined && rowCount(site, session) > 0)
      .sort((a, b) => a.endpoint.keys.length - b.endpoint.keys.length || rowCount(b, session) - rowCount(a, session)),
  cases: (site, session) => {
    const snapshot = session.snapshot(site)
    const keys = snapshot === undefined ? [] : keysToTry(snapshot)
    if (keys.length === 0) return { skipReason: 'the collection has no items' }
    return {
      planned: keys.slice(0, plannedItems).map(key => ({ key })),
      random: fc.constantFrom(...keys).map(key => ({ key })),
    }
  },
  check: async ({ key = '', options }, site, session) => {
    const snapshot = session.snapshot(site)
    const endpoint = itemEndpointOf(site, session.service)
    const row = snapshot?.byKey.get(key)
    if (snapshot === undefined || endpoint === undefined || row === undefined) {
      return { kind: 'inconclusive', why: 'the item is no longer in the list' }
    }
    const item = itemSiteOf(snapshot, key, endpoint)
    if (item === undefined) return { kind: 'inconclusive', why: 'no URL can be built from the key' }
    const query: QueryOptions = options ?? {}
    const response = await session.send(readRequest(item, query))
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const answers = [response]
    if (response.status !== 200 || !isRow(response.json)) {
      if (response.status !== 404 && isRejection(response, session)) return { kind: 'unsupported', constructs: [] }
      return failure({
        message: 'An item of the list cannot be read by its key.',
        expected: 'status 200 with the item',
        received: describeResponse(response),
        missing: [key],
        answers,
        features: ['item.unreadable', ...(response.status === 404 ? [] : [`status.${response.status}`])],
      })
    }
    const { type } = endpoint
    if (keyOf(response.json, type) !== undefined && keyOf(response.json, type) !== key) {
      return failure({
        message: 'The URL of an item returns another item.',
        expected: `the item with the key ${key}`,
        received: `the item with the key ${keyOf(response.json, type)}`,
        missing: [key],
        answers,
        features: ['item.other'],
      })
    }
    if (
      options === undefined &&
      keyOf(response.json, type) === undefined &&
      !Object.keys(response.json).some(isIdentifier)
    ) {
      return failure({
        message: 'An item read by its key does not show its key, which it has in the list.',
        expected: `the item with the key ${key}`,
        received: 'no key',
        missing: [key],
        answers,
        features: ['item.keyless'],
      })
    }
    const missing = missingProperties(response.json, row, type, session)
    if (options === undefined && missing.length > 0) {
      return failure({
        message: 'An item read by its key lacks properties that it has in the list.',
        expected: 'the properties of the list',
        received: `no ${missing.join(', ')}`,
        answers,
        features: ['item.lacking'],
      })
    }
    const mayBeNull = mayHideValues(session)
    const shown = rowDifferences(row, response.json, type, session.service, { mayBeNull })
    const differences =
      mayBeNull && shown.length === 0 ? await nullsWhenSelected(row, response.json, item, type, session) : shown
    if (differences.length === 0) return { kind: 'pass' }
    return failure({
      message: 'An item read by its key has other values than in the list.',
      expected: 'the values of the list',
      received: differences.map(({ property }) => property.name).join(', '),
      why: differences.map(difference => describeDifference(difference, 'in the list', 'read by key')),
      answers,
      features: ['item.values'],
    })
  },
}

/** If all properties are returned by default, the item has the same properties as in the list. */
function missingProperties(item: Row, row: Row, type: EntityType, session: Session): readonly string[] {
  if (!permittedValues(session, 'defaultProjection', 'all').isOnly('all')) return []
  return type.properties
    .filter(
      ({ name, returned }) =>
        returned !== 'onSelect' && row[name] !== null && row[name] !== undefined && !Object.hasOwn(item, name),
    )
    .map(({ name }) => name)
}

/** `@odata.id` identifies an item without its key. */
function isIdentifier(name: string): boolean {
  return name === '@odata.id' || name === '@id'
}

function rowCount(site: Site, session: Session): number {
  return session.snapshot(site)?.rows.length ?? 0
}
