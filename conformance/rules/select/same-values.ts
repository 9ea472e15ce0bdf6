import { keyOf } from '../../discover/site.js'
import { declaredProperties, mayHideValues } from '../../lists/properties.js'
import { rowsIn } from '../../lists/read-rows.js'
import { isSameValue } from '../../lists/values.js'
import type { PassiveRule } from '../../rule/rule.js'

/** Compares the items of every response with the snapshot. */
export const sameValues: PassiveRule = {
  kind: 'passive',
  id: 'same-values',
  area: 'select',
  statement: 'An item has the same values in every list, however the list is filtered, ordered, paged or selected.',
  advice: 'Look for joins that mix up columns, and for values that only one code path converts.',
  aspects: ['select.properties', 'collection.read'],
  covers: ['select', 'filter', 'orderby', 'expand'],
  severity: 'must',
  inspect: (response, site, session) => {
    if (site?.type === undefined || site.endpoint.kind !== 'collection') return undefined
    const { headers = {} } = response.testRequest
    // A preference may request another representation.
    if (Object.keys(headers).some(name => name.toLowerCase() === 'prefer')) return undefined
    const snapshot = session.snapshot(site)
    const rows = rowsIn(response, site)
    if (snapshot === undefined || rows.length === 0) return undefined
    const { properties } = declaredProperties(site.type, session.service)
    for (const row of rows) {
      const key = keyOf(row, site.type)
      const known = key === undefined ? undefined : snapshot.byKey.get(key)
      if (key === undefined || known === undefined) continue
      for (const [name, property] of properties) {
        if (!Object.hasOwn(row, name) || !Object.hasOwn(known, name)) continue
        // Null may stand for an unselected property.
        if (row[name] === null && response.testRequest.options?.select !== undefined) continue
        if (row[name] === null && (response.testRequest.path !== site.path || mayHideValues(session))) continue
        if (isSameValue(row[name], known[name], property)) continue
        if (isOurs(row, session.ledger?.mark)) continue
        return {
          message: `${name} of an item has another value than in the unfiltered list.`,
          expected: `${name}: ${textOf(known[name])}`,
          received: `${name}: ${textOf(row[name])}`,
          missing: [key],
          answers: [response],
          features: ['value'],
        }
      }
    }
    return 'seen'
  },
}

/** This run changes its own items. */
function isOurs(row: object, mark: string | undefined): boolean {
  return mark !== undefined && JSON.stringify(row).includes(mark)
}

function textOf(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
