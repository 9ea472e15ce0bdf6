import { keyOf } from '../../discover/site.js'
import { declaredProperties } from '../../lists/properties.js'
import { rowsIn } from '../../lists/read-rows.js'
import type { PassiveRule } from '../../rule/rule.js'

/** @see OData Protocol 4.01, 11.2.5.2 */
export const expandOnly: PassiveRule = {
  kind: 'passive',
  id: 'expand-only',
  area: 'expand',
  statement: 'A relation is returned only if it is expanded. Otherwise it is absent or null.',
  advice:
    'An empty list for a relation that was not expanded wrongly says that there are no related items. Omit the relation.',
  aspects: ['expand.only'],
  covers: ['expand'],
  severity: 'must',
  inspect: (response, site, session) => {
    const { path, options, rawQuery } = response.testRequest
    if (site?.type === undefined || path !== site.path || rawQuery !== undefined) return undefined
    const rows = rowsIn(response, site)
    if (rows.length === 0) return undefined
    const expanded = new Set((options?.expand ?? []).map(({ path: [name = ''] }) => name))
    if (expanded.has('*')) return undefined
    const { relations } = declaredProperties(site.type, session.service)
    for (const row of rows) {
      for (const name of relations.keys()) {
        const value = Object.hasOwn(row, name) ? row[name] : undefined
        if (value === undefined || value === null || expanded.has(name)) continue
        const key = keyOf(row, site.type)
        return {
          message: `The relation ${name} is returned, although it was not expanded.`,
          expected: `no ${name}`,
          received: `${name}: ${JSON.stringify(value)?.slice(0, 80)}`,
          ...(key === undefined ? {} : { surplus: [key] }),
          answers: [response],
          features: ['expand', 'unasked'],
        }
      }
    }
    return relations.size > 0 ? 'seen' : undefined
  },
}
