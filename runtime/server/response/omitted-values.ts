import type { Exchange } from '../exchange.js'
import { structuredType } from '../type-lookup.js'
import { JsonText, parseJsonText } from '../value/exact-json.js'
import { isRow, memberWriter, type SentRow } from './row.js'

/** Which values of items a response omits. @see OData Protocol 4.01, 8.2.8.6 (omit-values) */
export type OmittedValues = 'nulls' | 'defaults'

/**
 * What the response to a read omits, as the caller prefers. Undefined: nothing. A response to a change shows what it
 * changed, and a delta also what has become null. In the rows of `$apply`, an absent value has another meaning than null.
 */
export function omittedValues({ preferences, compiled, plan }: Exchange): OmittedValues | undefined {
  const { kind } = compiled.route
  const isRead = (kind === 'collection' || kind === 'item') && plan.options.apply === undefined
  return isRead ? preferences.omitValues : undefined
}

/**
 * An item, or a complex value, without the values that the response omits: null, or the default of a property. It keeps the
 * key, properties with annotations, and the values in collections.
 */
export function withoutOmitted(
  given: unknown,
  typeName: string | undefined,
  omitted: OmittedValues,
  types: Exchange['table']['types'],
): unknown {
  // A complex value can be the text that the store holds.
  const shown = given instanceof JsonText && /^[[{]/.test(given.text) ? parseJsonText(given) : given
  if (Array.isArray(shown)) return shown.map(each => withoutOmitted(each, typeName, omitted, types))
  if (!isRow(shown) || shown instanceof JsonText) return shown
  const declared = shown['@odata.type']
  const own = typeof declared === 'string' ? declared.slice(declared.lastIndexOf('.') + 1) : undefined
  const type = structuredType(types, own ?? '') ?? structuredType(types, typeName ?? '')
  const annotated = new Set(Object.keys(shown).flatMap(name => (name.indexOf('@') > 0 ? [name.split('@')[0]] : [])))
  const kept: SentRow = {}
  for (const [name, value] of Object.entries(shown)) {
    const property = type !== undefined && Object.hasOwn(type.properties, name) ? type.properties[name] : undefined
    const isKept = name.includes('@') || annotated.has(name) || type?.key.includes(name) === true
    if (!isKept && isOmitted(value, property?.default, omitted)) continue
    const relation = type !== undefined && Object.hasOwn(type.navigation, name) ? type.navigation[name] : undefined
    memberWriter(name)(kept, withoutOmitted(value, property?.type ?? relation?.type, omitted, types))
  }
  return kept
}

function isOmitted(value: unknown, byDefault: unknown, omitted: OmittedValues): boolean {
  if (omitted === 'nulls') return value === null
  if (byDefault === undefined || byDefault === null || value === null)
    return value === null && (byDefault ?? null) === null
  return (value instanceof JsonText ? value.text : String(value)) === String(byDefault)
}
