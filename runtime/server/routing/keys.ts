import type { TypeTable } from '../../query/index.js'
import { RequestFault } from '../errors.js'
import { underlyingType } from '../type-lookup.js'
import { invalidValue } from '../value/primitive-values.js'
import { type ReadContext, readValue } from '../value/read-value.js'
import { plainJson, readLiteral } from '../value/url-literals.js'
import type { KeyText } from './router.js'

const noKeyValues: Readonly<Record<string, unknown>> = Object.freeze(Object.create(null))

/**
 * Reads the keys of a path. `variables` are the route's names for the keys, in order; routes of the same resource can
 * use different names. Fails with `malformedKey`.
 */
export function readKeys(
  texts: readonly KeyText[],
  variables: readonly string[],
  types: TypeTable,
): Readonly<Record<string, unknown>> {
  if (texts.length === 0) return noKeyValues
  const keys: Record<string, unknown> = {}
  for (let index = 0; index < texts.length; index++) {
    const text = texts[index]
    if (text !== undefined) setKey(keys, variables[index] ?? text.key.variable, readKey(text, types))
  }
  return keys
}

/** A spec can choose any name. An object without a prototype would be slow, so `__proto__` is a special case. */
function setKey(keys: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(keys, name, { value, enumerable: true })
  else keys[name] = value
}

function readKey({ key, text, form }: KeyText, types: TypeTable): unknown {
  if (key.type === 'Edm.String' && form === 'segment' && !text.includes('\0')) return text
  const type = underlyingType(types, key.type)
  const json = form === 'segment' ? plainJson(text, type) : readLiteral(text, type, undefined)
  const reading: ReadContext = { types, problems: [], readComplex: () => invalidValue }
  const value = json === invalidValue ? invalidValue : readValue(json, { type: key.type }, key.property, reading)
  const problem = reading.problems[0]
  if (value !== invalidValue && problem === undefined && !(typeof value === 'string' && value.includes('\0')))
    return value
  const reason = problem?.message ?? `${key.property} must be a key of type ${key.type}.`
  throw new RequestFault('malformedKey', { target: key.property, values: { reason, key: text } })
}
