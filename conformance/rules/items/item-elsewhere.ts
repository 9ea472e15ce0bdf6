import type { EntityType } from '../../../spec/language/index.js'
import { keyOf, onePerEndpoint, type Site } from '../../discover/site.js'
import { isRow, type Row } from '../../json.js'
import { mayHideValues, selectItems } from '../../lists/properties.js'
import { describeDifference, type RowDifference, rowDifferences } from '../../lists/values.js'
import { readRequest } from '../../rule/query-request.js'
import { inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'

export const itemElsewhere: ActiveRule = {
  kind: 'active',
  id: 'item-elsewhere',
  area: 'items',
  statement:
    'An item that is read through another path, a singleton or a relation has the same values as in its collection.',
  advice: 'Both paths lead to the same item. Read it with the same function, whatever the path.',
  aspects: ['relation.path', 'item.read'],
  covers: ['endpoint.item', 'singleton'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 2,
  sites: session =>
    onePerEndpoint(session.sites).filter(site => {
      const last = site.endpoint.resolved.at(-1)?.kind
      return site.endpoint.kind === 'item' && last !== 'key' && setOf(site, session) !== undefined
    }),
  cases: () => ({ planned: [{ variant: 'the same as in its collection' }] }),
  check: async (_test, site, session) => {
    const set = setOf(site, session)
    const response = await session.send({ method: 'GET', path: site.path })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const { type } = site
    if (response.status !== 200 || !isRow(response.json) || type === undefined || set === undefined) {
      return { kind: 'pass', vacuous: true }
    }
    const key = keyOf(response.json, type)
    const row = key === undefined ? undefined : session.snapshot(set)?.byKey.get(key)
    if (row === undefined) return { kind: 'pass', vacuous: true }
    const mayBeNull = mayHideValues(session)
    const shown = rowDifferences(row, response.json, type, session.service, { mayBeNull })
    const differences =
      mayBeNull && shown.length === 0 ? await nullsWhenSelected(row, response.json, site, type, session) : shown
    if (differences.length === 0) return { kind: 'pass' }
    return failure({
      message: `The item at ${site.path} differs from the same item in ${set.path}.`,
      expected: `the values of the item with the key ${key}`,
      received: differences.map(({ property }) => property.name).join(', '),
      why: differences.map(difference => describeDifference(difference, `in ${set.path}`, `at ${site.path}`)),
      answers: [response],
      features: ['item.values'],
    })
  },
}

/**
 * The values of a list that the item itself shows as null even if they are selected. A value that was not requested may be null
 * instead of absent.
 */
export async function nullsWhenSelected(
  row: Row,
  item: Row,
  site: Site,
  type: EntityType,
  session: Session,
): Promise<readonly RowDifference[]> {
  const names = rowDifferences(row, item, type, session.service).flatMap(({ property: { name }, right }) => {
    return right === null ? [name] : []
  })
  if (names.length === 0) return []
  const select = selectItems(names)
  const { status, json } = await session.send(readRequest(site, { select }))
  if (status !== 200 || !isRow(json)) return []
  return rowDifferences(row, json, type, session.service).filter(({ property, right }) => {
    return right === null && names.includes(property.name)
  })
}

/** The root collection of a type. */
function setOf({ type }: Site, { sites }: Session): Site | undefined {
  return sites.find(({ endpoint, type: of }) => {
    return endpoint.kind === 'collection' && endpoint.resolved.length === 1 && of === type
  })
}
