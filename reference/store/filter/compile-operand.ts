import { sql } from 'kysely'
import type { Expression } from '../../../runtime/query/index.js'
import { Slot } from '../engine/sql-value.js'
import { storageOf } from '../schema/storage.js'
import { encodeValue } from '../value/column-codec.js'
import { arithmeticOperand, negated } from './compile-arithmetic.js'
import { callOperand } from './compile-call.js'
import { booleanFunction, isFalse, isTrue } from './compile-condition.js'
import { compilePath } from './compile-path.js'
import { deeper, type Frame } from './frame.js'
import { literalOperand } from './literal-operand.js'
import type { Operand } from './operand.js'
import { unsupported } from './unsupported.js'

/** What an expression is as a value. */
export function compileOperand(expression: Expression, outer: Frame): Operand {
  const frame = deeper(outer)
  switch (expression.kind) {
    case 'literal':
      return literalOperand(expression, frame)
    case 'path':
      return compilePath(expression, frame)
    case 'alias':
      return aliasOperand(expression.name, frame)
    case 'list':
      return { kind: 'list', items: expression.items }
    case 'unary':
      return expression.operator === 'not'
        ? truthValue(expression, frame)
        : negated(compileOperand(expression.operand, frame), frame)
    case 'binary':
      switch (expression.operator) {
        case 'add':
        case 'sub':
        case 'mul':
        case 'div':
        case 'divby':
        case 'mod':
          return arithmeticOperand(expression.operator, expression.left, expression.right, frame)
        default:
          return truthValue(expression, frame)
      }
    case 'call':
      return booleanFunction(expression) === undefined ? callOperand(expression, frame) : truthValue(expression, frame)
    case 'lambda':
      return truthValue(expression, frame)
    default:
      throw unsupported(frame.option, `An expression of kind ${expression.kind} is not supported here.`)
  }
}

/** A condition as a Boolean: true, false or null for unknown. */
function truthValue(expression: Expression, frame: Frame): Operand {
  const truth = sql`CASE WHEN ${isTrue(expression, frame)} THEN TRUE WHEN ${isFalse(expression, frame)} THEN FALSE END`
  return { kind: 'scalar', type: { kind: 'boolean' }, sql: truth, nullable: true }
}

/** What `@p` stands for: a parameter of the operation, or what the request says; nothing is null. */
function aliasOperand(name: string, frame: Frame): Operand {
  const parameter = frame.parameters.get(name)
  if (parameter?.collection === true) return { kind: 'parameter', name, type: parameter.type }
  if (parameter !== undefined) {
    const { type, geo } = parameter
    const slot = new Slot(`parameter ${name}`, value => encodeValue(value, type, frame.dialect) ?? null)
    const bound = frame.dialect.bind(slot, storageOf(type.kind))
    const operand: Operand = { kind: 'scalar', type, sql: bound, nullable: true, parameter: name }
    return geo === undefined ? operand : { ...operand, sql: frame.dialect.json(bound), geo }
  }
  const value = Object.hasOwn(frame.aliases, name) ? frame.aliases[name] : undefined
  return value === undefined ? { kind: 'null' } : compileOperand(value, frame)
}
