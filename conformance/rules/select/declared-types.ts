import type { Property } from '../../../spec/language/index.js'
import { keyOf } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { declaredProperties } from '../../lists/properties.js'
import { rowsIn } from '../../lists/read-rows.js'
import { findTypeMismatch, type TypeMismatch } from '../../lists/values.js'
import type { PassiveRule } from '../../rule/rule.js'

/** Fields of section 2, as they are written in JSON. */
export const declaredTypes: PassiveRule = {
  kind: 'watching',
  id: 'declared-types',
  area: 'select',
  statement: 'Each property is of its declared type: text, a number, a boolean, a moment, an object, a list.',
  advice:
    'Typed callers cannot read anything else. No value is null, not an empty text; a moment has a date, a time and a zone.',
  clauses: ['names.camelCase'],
  covers: ['properties'],
  severity: 'must',
  inspect: (answer, site, session) => {
    if (site?.type === undefined) return undefined
    const rows = rowsIn(answer, site)
    if (rows.length === 0) return undefined
    const { properties } = declaredProperties(site.type, session.service)
    for (const row of rows) {
      for (const [name, property] of properties) {
        if (!Object.hasOwn(row, name)) continue
        const fault = findTypeMismatch(row[name], property) ?? formatFault(row[name], property, answer)
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
function formatFault(
  value: unknown,
  property: Property,
  { testRequest: ask, headers }: TestResponse,
): TypeMismatch | undefined {
  const { name: path, type, collection } = property
  // What is not selected may be null instead of absent; a collection that was asked for is empty at least.
  if (value === null && collection && ask.options?.select?.some(({ path: [first] }) => first === path)) {
    return { path, value, type: 'Collection' }
  }
  const isQuoted = typeof value === 'string' && type.kind === 'primitive' && type.name === 'Int64'
  if (!isQuoted || !Number.isSafeInteger(Number(value))) return undefined
  return /ieee754compatible=true/i.test(headers['content-type'] ?? '') ? undefined : { path, value, type: type.name }
}
