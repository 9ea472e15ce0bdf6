import type { Expression } from '../ast.js'
import { bindNode } from './bind-expression.js'
import { checkBoolean } from './check-boolean.js'
import { type Frame, report } from './frame.js'
import { isNumericTypeName, promoteNumeric } from './primitive-types.js'
import { describeType, nullType, type StaticType, untyped } from './static-type.js'

/**
 * `case(condition:result,…)`, its arguments condition and result in turns: the results must be of one type.
 *
 * @see OData URL Conventions 4.01, 5.1.1.12.1
 */
export function bindCase(given: readonly Expression[], frame: Frame): StaticType {
  let result: StaticType = nullType
  for (const [index, argument] of given.entries()) {
    const type = bindNode(argument, frame)
    if (index % 2 === 0) {
      checkBoolean(type, "A condition of 'case'", frame)
      continue
    }
    const common = commonType(result, type)
    if (common === undefined) {
      const found = `${describeType(result)} and ${describeType(type)}`
      report(frame, 'incompatibleTypes', `The results of 'case' must be of one type, but found ${found}.`)
      result = untyped
    } else {
      result = common
    }
  }
  return result
}

function commonType(one: StaticType, other: StaticType): StaticType | undefined {
  if (one.kind === 'null' || other.kind === 'untyped') return other
  if (other.kind === 'null' || one.kind === 'untyped') return one
  if (one.kind === 'primitive' && other.kind === 'primitive' && one.name !== other.name) {
    if (!isNumericTypeName(one.name) || !isNumericTypeName(other.name)) return undefined
    return { kind: 'primitive', name: promoteNumeric(one.name, other.name) }
  }
  return describeType(one) === describeType(other) ? one : undefined
}
