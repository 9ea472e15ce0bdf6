import type { Property } from '../../../spec/language/index.js'
import type { Answer } from '../../http/answer.js'
import { declaredProperties } from '../../reading/declared-properties.js'
import { rowsIn } from '../../reading/rows-in.js'
import { type TypeFault, typeFault } from '../../reading/type-fault.js'
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
        const fault = typeFault(row[name], property) ?? plainFault(row[name], property, answer)
        if (fault === undefined) continue
        const key = keyOf(row, site.type)
        return {
          message: `${fault.path} is not of its type.`,
          expected: `a value of type ${fault.type}${property.collection ? '' : ', or null'}`,
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

/** What the way in which the answer was asked for leaves no room for. */
function plainFault(value: unknown, property: Property, { ask, headers }: Answer): TypeFault | undefined {
  const { name: path, type, collection } = property
  // What is not selected may be null instead of absent; a collection that was asked for is empty at least.
  if (value === null && collection && ask.options?.select?.some(({ path: [first] }) => first === path)) {
    return { path, value, type: 'Collection' }
  }
  const isQuoted = typeof value === 'string' && type.kind === 'primitive' && type.name === 'Int64'
  if (!isQuoted || !Number.isSafeInteger(Number(value))) return undefined
  return /ieee754compatible=true/i.test(headers['content-type'] ?? '') ? undefined : { path, value, type: type.name }
}
