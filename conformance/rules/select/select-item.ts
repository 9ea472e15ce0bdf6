import { keyOf } from '../../discover/site.js'
import { isRow, type Row } from '../../json.js'
import { mayHideValues, selectItems } from '../../lists/properties.js'
import { queryText, rejectedVerdict } from '../../lists/read-rows.js'
import { itemSites, querySite } from '../../lists/related-items.js'
import { constructsOf, readRequest } from '../../rule/query-request.js'
import { inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { plannedSelections, selectedDifference } from './selection.js'

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
  weight: 3,
  sites: session => itemSites(session, ({ select }) => select !== 'none'),
  cases: site => {
    const found = querySite(site)
    const names = found === undefined ? [] : plannedSelections(found.type)
    if (names.length === 0) return { skipReason: 'a type with properties other than its key' }
    return { planned: names.map(each => ({ options: { select: selectItems(each) } })) }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    if (found === undefined) return { kind: 'inconclusive', why: 'no item' }
    if (options.select === undefined) return { kind: 'pass', vacuous: true }
    const constructs = constructsOf(options)
    if (!session.support.maySend(site, constructs)) return { kind: 'unsupported', constructs }
    const plain = await session.send(readRequest(site))
    const whole = rowOf(plain.status, plain.json)
    if (whole === undefined)
      return inconclusiveVerdict(plain) ?? { kind: 'inconclusive', why: `no item: status ${plain.status}` }
    const response = await session.send(readRequest(site, options))
    const row = rowOf(response.status, response.json)
    if (row === undefined) return rejectedVerdict(response, options, found, session)
    const key = keyOf(whole, found.type) ?? ''
    // Null may stand for a value that was not requested.
    const known = Object.entries(whole).filter(([, value]) => value !== null || !mayHideValues(session))
    const byKey = new Map([[key, Object.fromEntries(known)]])
    const difference = selectedDifference(row, options, found.type, { byKey }, session)
    if (difference === undefined) return { kind: 'pass' }
    return {
      kind: 'fail',
      finding: {
        message: `With ${queryText(options)}, the item does not have the expected ${difference.name}.`,
        expected: difference.expected,
        received: difference.received,
        answers: [response, plain],
        features: [...difference.features, 'item'],
      },
    }
  },
}

function rowOf(status: number, json: unknown): Row | undefined {
  return status === 200 && isRow(json) ? json : undefined
}
