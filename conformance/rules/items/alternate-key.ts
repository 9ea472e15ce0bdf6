import { isSamePath } from '../../../spec/language/index.js'
import { absentItemSite } from '../../discover/absent-item.js'
import { keyOf, onePerEndpoint, type Site, siteOf } from '../../discover/site.js'
import { isRow, type Row } from '../../json.js'
import { mayHideValues } from '../../lists/properties.js'
import { describeDifference, rowDifferences } from '../../lists/values.js'
import { describeResponse, errorFinding, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict, verdictOf } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'

/** @see OData URL Conventions 4.01, 4.3.2 (alternate keys) */
export const alternateKey: ActiveRule = {
  kind: 'active',
  id: 'alternate-key',
  area: 'items',
  statement:
    'An alternate key leads to the item with these values, with the same content as by its key. Other values are 404.',
  advice:
    'Look for the item whose properties equal all values of the alternate key, exactly as stored. No item, or a value that is null there, is 404.',
  aspects: ['item.read'],
  covers: ['endpoint.item', 'error.itemNotFound'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 5,
  sites: session => onePerEndpoint(session.sites.filter(site => listOf(site, session) !== undefined)),
  cases: (site, session) => {
    const rows = rowsOf(site, session)
    if (rows.length === 0) return { skipReason: 'no item has all values of the alternate key' }
    const { type } = site
    const keys = rows.flatMap(row => (type === undefined ? [] : (keyOf(row, type) ?? [])))
    // The first and the last item: a service that looks at one of them only finds the other one by its key.
    const known = [...new Set([keys.at(-1), keys[0]])].flatMap(key => (key === undefined ? [] : [{ key }]))
    return { planned: [...known, ...(absentItemSite(site, session) === undefined ? [] : [{ variant: unknownValue }])] }
  },
  check: async ({ key = '', variant }, site, session) => {
    if (variant === unknownValue) return checkUnknown(site, session)
    const { type } = site
    const row = type === undefined ? undefined : rowsOf(site, session).find(each => keyOf(each, type) === key)
    const path = row === undefined ? undefined : siteBy(row, site, session)?.path
    if (type === undefined || row === undefined || path === undefined)
      return { kind: 'inconclusive', why: 'the item is no longer in the list' }
    const response = await session.send({ method: 'GET', path })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const answers = [response]
    if (response.status !== 200 || !isRow(response.json)) {
      if (response.status !== 404 && isRejection(response, session)) return { kind: 'unsupported', constructs: [] }
      return failure({
        message: 'An item of the list cannot be read by its alternate key.',
        expected: 'status 200 with the item',
        received: describeResponse(response),
        missing: [key],
        answers,
        features: ['alternateKey', 'item.unreadable'],
      })
    }
    const shown = keyOf(response.json, type)
    if (shown !== undefined && shown !== key) {
      return failure({
        message: 'An alternate key leads to another item.',
        expected: `the item with the key ${key}`,
        received: `the item with the key ${shown}`,
        missing: [key],
        answers,
        features: ['alternateKey', 'item.other'],
      })
    }
    const differences = rowDifferences(row, response.json, type, session.service, { mayBeNull: mayHideValues(session) })
    if (differences.length === 0) return { kind: 'pass' }
    return failure({
      message: 'An item read by its alternate key has other values than in the list.',
      expected: 'the values of the list',
      received: differences.map(({ property }) => property.name).join(', '),
      why: differences.map(each => describeDifference(each, 'in the list', 'read by its alternate key')),
      answers,
      features: ['alternateKey', 'item.values'],
    })
  },
}

const unknownValue = 'unknown value'

async function checkUnknown(site: Site, session: Session): Promise<Verdict> {
  const absent = absentItemSite(site, session)
  if (absent === undefined) return { kind: 'inconclusive', why: 'no unused value can be generated' }
  const response = await session.send({ method: 'GET', path: absent.path })
  const inconclusive = response.status === 404 ? undefined : inconclusiveVerdict(response)
  if (inconclusive !== undefined) return inconclusive
  const finding = errorFinding(response, session.service.faults.itemNotFound, session)
  return verdictOf(finding)
}

/** The list of the items that a path with an alternate key at its end leads to. Absent for other paths. */
function listOf({ endpoint, keys }: Site, { sites }: Session): Site | undefined {
  const last = endpoint.resolved.at(-1)
  if (endpoint.kind !== 'item' || last?.kind !== 'alternateKey') return undefined
  const outer = endpoint.keys.length - last.variables.length
  return sites.find(
    ({ endpoint: list, keys: own }) =>
      list.kind === 'collection' &&
      isSamePath(list.resolved, endpoint.resolved.slice(0, -1)) &&
      list.keys.every(({ variable }, index) => own[variable] === keys[endpoint.keys[index]?.variable ?? '']) &&
      list.keys.length === outer,
  )
}

/** The rows of the list that have all values of the alternate key. */
function rowsOf(site: Site, session: Session): readonly Row[] {
  const list = listOf(site, session)
  const rows = list === undefined ? [] : (session.snapshot(list)?.rows ?? [])
  return rows.filter(row => siteBy(row, site, session) !== undefined)
}

function siteBy(row: Row, site: Site, session: Session): Site | undefined {
  const list = listOf(site, session)
  return list === undefined ? undefined : siteOf(site.endpoint, { site: list, row })
}
