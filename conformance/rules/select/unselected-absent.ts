import { keyOf } from '../../discover/site.js'
import { unselectedProperties } from '../../lists/properties.js'
import { rowsIn } from '../../lists/read-rows.js'
import type { PassiveRule } from '../../rule/rule.js'

/** @see OData Protocol 4.01, 11.2.5.1 */
export const unselectedAbsent: PassiveRule = {
  kind: 'passive',
  id: 'unselected-absent',
  area: 'select',
  statement: 'If a request has $select, the response omits unselected properties.',
  advice: 'Apply $select where you write items, for lists and single items alike, whatever the other options are.',
  aspects: ['select.properties', 'select.unselected'],
  covers: ['select'],
  severity: 'must',
  inspect: (response, site, session) => {
    const { path, options, rawQuery } = response.testRequest
    if (site?.type === undefined || path !== site.path || rawQuery !== undefined || options?.select === undefined) {
      return undefined
    }
    const rows = rowsIn(response, site)
    if (rows.length === 0) return undefined
    const selected = new Set(options.select.map(({ path: [name = ''] }) => name))
    for (const row of rows) {
      const [shown] = unselectedProperties(row, selected, site.type, session)
      if (shown === undefined) continue
      const key = keyOf(row, site.type)
      return {
        message: `${shown} is returned, although $select omits it.`,
        expected: `${[...selected].join(', ')} and nothing else`,
        received: `${shown}: ${JSON.stringify(row[shown])?.slice(0, 80)}`,
        ...(key === undefined ? {} : { surplus: [key] }),
        answers: [response],
        features: ['select', site.endpoint.kind === 'item' ? 'item' : 'shown'],
      }
    }
    return 'seen'
  },
}
