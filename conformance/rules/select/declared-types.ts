import type { Property } from '../../../spec/language/index.js'
import { keyOf } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { declaredProperties } from '../../lists/properties.js'
import { rowsIn } from '../../lists/read-rows.js'
import { findTypeMismatch, type TypeMismatch } from '../../lists/values.js'
import type { PassiveRule } from '../../rule/rule.js'

/** @see OData JSON Format 4.01, 7.1 */
export const declaredTypes: PassiveRule = {
  kind: 'passive',
  id: 'declared-types',
  area: 'select',
  statement: 'Each property has its declared type: string, number, boolean, timestamp, object or array.',
  advice:
    'Typed clients cannot read anything else. A missing value is null, not an empty string. A timestamp has a date, a time and a time zone.',
  aspects: ['property.values'],
  covers: ['properties'],
  severity: 'must',
  inspect: (response, site, session) => {
    if (site?.type === undefined) return undefined
    const rows = rowsIn(response, site)
    if (rows.length === 0) return undefined
    const { properties } = declaredProperties(site.type, session.service)
    for (const row of rows) {
      for (const [name, property] of properties) {
        if (!Object.hasOwn(row, name)) continue
        const fault = findTypeMismatch(row[name], property) ?? formatFault(row[name], property, response)
        if (fault === undefined) continue
        const key = keyOf(row, site.type)
        return {
          message: `${fault.path} does not have its declared type.`,
          expected: `a value of type ${fault.type}${property.collection ? '' : ', or null'}`,
          received: JSON.stringify(fault.value)?.slice(0, 200) ?? 'nothing',
          ...(key === undefined ? {} : { missing: [key] }),
          answers: [response],
          features: ['type', `type.${fault.type}`],
        }
      }
    }
    return 'seen'
  },
}

/** Faults that depend on the request: a null collection that was selected, a quoted Int64 without IEEE754Compatible. */
function formatFault(
  value: unknown,
  property: Property,
  { testRequest: request, headers }: TestResponse,
): TypeMismatch | undefined {
  const { name: path, type, collection } = property
  // An unselected property may be null instead of absent, but a selected collection must be an array.
  if (value === null && collection && request.options?.select?.some(({ path: [first] }) => first === path)) {
    return { path, value, type: 'Collection' }
  }
  const isQuoted = typeof value === 'string' && type.kind === 'primitive' && type.name === 'Int64'
  if (!isQuoted || !Number.isSafeInteger(Number(value))) return undefined
  return /ieee754compatible=true/i.test(headers['content-type'] ?? '') ? undefined : { path, value, type: type.name }
}
