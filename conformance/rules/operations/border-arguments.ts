import type { BinaryOperator, Expression } from '../../../runtime/query/index.js'
import type { EntityType, Parameter } from '../../../spec/language/index.js'
import type { Json, Row } from '../../json.js'
import { primitiveOf } from '../../lists/properties.js'
import { isTrue, type TruthSet } from '../../oracle/truth-set.js'
import { rewriteChanged } from '../../probes/expressions.js'
import type { Session } from '../../session/session.js'
import {
  type Arguments,
  argumentsToTry,
  bindArguments,
  comparisonWith,
  isPointInTime,
  type ParameterizedFilter,
} from './call.js'
import { truthOf } from './expected-result.js'

/** The filter, and the type of the items that it is about. */
interface BorderedFilter extends ParameterizedFilter {
  readonly meaning: ParameterizedFilter['meaning'] & {
    readonly of: { readonly type: EntityType }
    readonly assumed?: string | undefined
  }
}

/** What a service evaluates that confuses `<` and `<=`. */
const confused: Partial<Record<BinaryOperator, BinaryOperator>> = { lt: 'le', le: 'lt', gt: 'ge', ge: 'gt' }
/** So many values of a property are tried. */
const maxValues = 200

/**
 * Arguments on a border: one for each parameter that a property is compared with by `<`, `<=`, `>` or `>=`, such that an
 * item with this value is in the result exactly if the border is. No value is such a border if no item with it meets the
 * rest of the filter, or if timestamps may be finer than they are shown.
 */
export function argumentsOnBorder(
  call: BorderedFilter,
  rows: readonly Row[],
  session: Pick<Session, 'service' | 'choices' | 'types'>,
): readonly Arguments[] {
  const { endpoint, meaning } = call
  const { filter } = meaning
  const { parameters } = endpoint.operation
  const [usual] = argumentsToTry(call, rows)
  // What the spec only assumes of the operation may have its ends in it or not.
  if (filter === undefined || usual === undefined || meaning.assumed !== undefined) return []
  return parameters.flatMap(parameter => {
    const compared = comparisonWith(filter, parameter.name)
    const swapped = rewriteChanged(filter, part => swap(part, parameter.name))
    if (compared === undefined || swapped === undefined || parameter.collection) return []
    for (const value of valuesOf(rows, compared.name)) {
      const argument = borderOf(value, parameter)
      if (argument === undefined) continue
      const given = { ...usual, [parameter.name]: argument }
      const [right, wrong] = [filter, swapped].map(each => bindArguments(each, endpoint.operation, given))
      if (right === undefined || wrong === undefined) return []
      const [isRight, isWrong] = [right, wrong].map(each => truthOf(each, meaning.of.type, rows, session))
      if (rows.some(row => differs(isRight?.(row) ?? 0, isWrong?.(row) ?? 0))) return [given]
    }
    return []
  })
}

/** Whether one condition is certainly true, and the other one certainly not. */
function differs(left: TruthSet, right: TruthSet): boolean {
  return (left === isTrue && (right & isTrue) === 0) || (right === isTrue && (left & isTrue) === 0)
}

function swap(part: Expression, parameter: string): Expression | undefined {
  if (part.kind !== 'binary' || part.right.kind !== 'alias' || part.right.name !== parameter) return undefined
  const operator = confused[part.operator]
  return operator === undefined ? undefined : { ...part, operator }
}

function valuesOf(rows: readonly Row[], name: string): readonly (string | number)[] {
  const values = rows.map(row => (Object.hasOwn(row, name) ? row[name] : undefined))
  return [...new Set(values.filter(value => typeof value === 'string' || typeof value === 'number'))].slice(
    0,
    maxValues,
  )
}

/** The argument that equals a value of the compared property. */
function borderOf(value: string | number, parameter: Parameter): Json | undefined {
  const primitive = primitiveOf(parameter.type)
  if (isPointInTime(parameter)) {
    if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) return undefined
    return parameter.format === 'date' || primitive === 'Date' ? value.slice(0, 10) : value
  }
  return primitive === 'String' || primitive === 'Guid' ? String(value) : value
}
