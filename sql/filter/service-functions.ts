import { sql } from 'kysely'
import {
  argumentsByName,
  definitionOf,
  type Expression,
  type FunctionCall,
  functionNamed,
  type PathExpression,
} from '../../runtime/query/index.js'
import { allOf } from '../conditions.js'
import type { Sql } from '../dialects/dialect.js'
import { unsupportedQuery } from '../query-faults.js'
import { idColumn } from '../schema/schema.js'
import { conditionOf, type Frame, type Operand, operandOf, type Scalar } from './frame.js'

/** A call of a function of the service: its definition, and the frame with the bound item and the arguments. */
interface ServiceCall {
  readonly definition: Expression
  readonly frame: Frame
  /** Whether the item that the function is bound to exists. Undefined: it always does. */
  readonly exists: Sql | undefined
}

/** The call that an expression is: a path that ends with a function, or a call by position. Undefined: it is none. */
export function serviceCall(expression: PathExpression | FunctionCall, frame: Frame): ServiceCall | undefined {
  if (expression.kind === 'call') {
    const called = functionNamed(expression.function, frame.functions)
    return called === undefined
      ? undefined
      : inlined(expression.function, undefined, argumentsByName(called, expression.arguments), frame)
  }
  const segment = expression.segments.at(-1)
  if (segment?.kind !== 'function') return undefined
  const before: PathExpression = { ...expression, segments: expression.segments.slice(0, -1) }
  const given = new Map(segment.parameters.map(({ name, value }) => [name, value]))
  return inlined(segment.name, operandOf(before, frame), given, frame)
}

function inlined(
  name: string,
  bound: Operand | undefined,
  values: ReadonlyMap<string, Expression>,
  frame: Frame,
): ServiceCall {
  const called = functionNamed(name, frame.functions)
  const definition = called === undefined ? undefined : definitionOf(called)
  if (called === undefined || definition === undefined) {
    const fix =
      'Give it a `definition` in the spec, or pass its handler to the service. Lists of operations call no handlers.'
    throw unsupportedQuery(frame.option, `The store cannot compute the function '${name}'. ${fix}`)
  }
  const item: Operand = called.binding === undefined || bound === undefined ? { kind: 'null' } : bound
  return {
    definition,
    frame: { ...frame, current: item, it: item, variables: new Map(), given: { values, frame } },
    exists: existence(item, frame),
  }
}

/** A function that is bound to an item is null without it. */
function existence(item: Operand, { dialect }: Frame): Sql | undefined {
  if (item.kind === 'row') return item.nullable ? sql`${item.column(idColumn)} IS NOT NULL` : undefined
  return item.kind === 'structure' ? sql`${dialect.jsonPart(item.place)} IS NOT NULL` : undefined
}

/** Whether a condition about the result of a call holds. `condition` is that of its definition. */
export function callHolds(
  { definition, frame, exists }: ServiceCall,
  condition: (definition: Expression, frame: Frame) => Sql = conditionOf,
): Sql {
  const holds = condition(definition, frame)
  return exists === undefined ? holds : allOf([exists, holds])
}

export function callValue({ definition, frame, exists }: ServiceCall): Operand {
  const value = operandOf(definition, frame)
  if (exists === undefined || value.kind === 'null') return value
  if (value.kind !== 'scalar') throw unsupportedQuery(frame.option, 'A function returns a single value.')
  const whole = (part: Sql): Sql => sql`CASE WHEN ${exists} THEN ${part} END`
  const { type, geo, floating, isNumber, exact, sortable } = value
  const result: Scalar = {
    kind: 'scalar',
    type,
    sql: whole(value.sql),
    nullable: true,
    ...(exact === undefined ? {} : { exact: whole(exact) }),
    ...(sortable === undefined ? {} : { sortable: whole(sortable) }),
    ...(geo === undefined ? {} : { geo }),
    ...(floating === undefined ? {} : { floating }),
    ...(isNumber === undefined ? {} : { isNumber }),
  }
  return result
}

/** The operand of a parameter in the definition of a function: its argument, compiled where the call is. */
export function argumentOperand(name: string, { given, copies, depth }: Frame): Operand | undefined {
  if (given === undefined) return undefined
  const value = given.values.get(name)
  return value === undefined ? { kind: 'null' } : operandOf(value, { ...given.frame, copies, depth })
}
