import type { KeyValue } from '../ast.js'
import { EvaluationError } from '../evaluation-error.js'
import { areEqual } from './compare.js'
import type { Environment } from './environment.js'
import { evaluateExpression } from './expression.js'
import { memberOf } from './json-object.js'
import { jsonValue } from './json-value.js'
import { structuredTypeInfo } from './type-lookup.js'
import { describeValue, type StructuredValue, type Value } from './value.js'

/** The item of a collection that has the key, or null. @throws {EvaluationError} when the key's property is not known */
export function itemByKey(value: Exclude<Value, null>, key: readonly KeyValue[], environment: Environment): Value {
  if (typeof value === 'boolean' || value.kind !== 'collection') {
    throw new EvaluationError(`A key needs a collection, not ${describeValue(value)}.`)
  }
  const wanted = key.map(part => ({ name: part.name, value: evaluateExpression(part.value, environment) }))
  const found = value.items.find(item => {
    if (item === null || typeof item === 'boolean' || item.kind !== 'structured') return false
    return wanted.every(part => {
      const actual = keyProperty(item, part.name, environment)
      return actual !== null && part.value !== null && areEqual(actual, part.value, environment.options.types)
    })
  })
  return found ?? null
}

function keyProperty(item: StructuredValue, name: string | undefined, { options }: Environment): Value {
  const type = structuredTypeInfo(item.type, options.types)
  const property = name ?? type?.key[0]
  if (property === undefined)
    throw new EvaluationError('Which property is the key can only be told with a table of types.')
  const declared =
    type !== undefined && Object.hasOwn(type.properties, property) ? type.properties[property] : undefined
  return jsonValue(memberOf(item.json, property), declared?.type, options.types)
}
