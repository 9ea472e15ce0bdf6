import { EvaluationError } from '../evaluation-error.js'
import type { TypeTable } from '../schema.js'
import { memberOf } from './json-object.js'
import { isSubtype, structuredTypeInfo, unqualified } from './type-lookup.js'
import { describeValue, type StructuredValue, type Value } from './value.js'

/** The item if it is of the type, else null; of a collection, the items that are. @see OData URL Conventions 4.01, 4.11 */
export function castSegment(value: Exclude<Value, null>, type: string, types: TypeTable | undefined): Value {
  if (typeof value !== 'boolean') {
    if (value.kind === 'structured') return isOfType(value, type, types) ? value : null
    if (value.kind === 'collection') {
      const items = value.items.filter(item => item !== null && castSegment(item, type, types) !== null)
      return { kind: 'collection', items }
    }
  }
  throw new EvaluationError(`${describeValue(value)} cannot be cast to the type ${type}.`)
}

/** Whether an item is of a structured type or one derived from it. @throws {EvaluationError} when nothing tells its type */
export function isOfType(item: StructuredValue, type: string, types: TypeTable | undefined): boolean {
  if (item.type !== undefined && structuredTypeInfo(item.type, types) !== undefined) {
    return isSubtype(item.type, type, types)
  }
  const named = memberOf(item.json, '@odata.type') ?? memberOf(item.json, '@type')
  if (typeof named === 'string' && unqualified(named) === unqualified(type)) return true
  throw new EvaluationError(`Whether an item is of the type ${type} can only be told with a table of types.`)
}
