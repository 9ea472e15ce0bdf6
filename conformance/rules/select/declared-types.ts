import { declaredProperties } from '../../reading/declared-properties.js'
import { rowsIn } from '../../reading/rows-in.js'
import { typeFault } from '../../reading/type-fault.js'
import type { Watch } from '../../rule/rule.js'
import { keyOf } from '../../site/key-of.js'

/** Fields of section 2, as they are written in JSON. */
export const declaredTypes: Watch = {
  kind: 'watching',
  id: 'declared-types',
  area: 'select',
  statement: 'Each property is of its declared type: text, a number, a boolean, a moment, an object, a list.',
  advice:
    'Typed callers cannot read anything else. No value is null, not an empty text; a moment has a date, a time and a zone.',
  clauses: ['names.camelCase'],
  covers: ['properties'],
  severity: 'must',
  watch: (answer, site, session) => {
    if (site?.type === undefined) return undefined
    const rows = rowsIn(answer, site)
    if (rows.length === 0) return undefined
    const { properties } = declaredProperties(site.type, session.service)
    for (const row of rows) {
      for (const [name, property] of properties) {
        if (!Object.hasOwn(row, name)) continue
        const fault = typeFault(row[name], property)
        if (fault === undefined) continue
        const key = keyOf(row, site.type)
        return {
          message: `${fault.path} is not of its type.`,
          expected: `a value of type ${fault.type}, or null`,
          received: JSON.stringify(fault.value)?.slice(0, 200) ?? 'nothing',
          ...(key === undefined ? {} : { missing: [key] }),
          answers: [answer],
          features: ['type', `type.${fault.type}`],
        }
      }
    }
    return 'seen'
  },
}
