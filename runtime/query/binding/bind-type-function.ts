import type { Expression, TypeExpression } from '../ast.js'
import { isRelated } from './bind-cast.js'
import { bindNode } from './bind-expression.js'
import { type Frame, report } from './frame.js'
import { isIntegerTypeName, isNumericTypeName } from './primitive-types.js'
import { booleanType, describeType, type SingleType, type StaticType, untyped } from './static-type.js'
import { didYouMean } from './suggestion.js'
import { qualifiedType } from './type-names.js'

/**
 * `cast(expression,type)` and `isof(expression,type)`; without an expression, of the current item.
 *
 * @see OData URL Conventions 4.01, 5.1.1.10
 */
export function bindTypeFunction(name: 'cast' | 'isof', given: readonly Expression[], frame: Frame): StaticType {
  const last = given.at(-1)
  const value = given.length === 2 ? given[0] : undefined
  if (last?.kind !== 'type' || given.length > 2 || (given.length === 2 && value === undefined)) {
    report(frame, 'invalidArgument', `Expected ${name}(type) or ${name}(expression,type).`)
    return untyped
  }
  const from = value === undefined ? frame.current : bindNode(value, frame)
  const target = targetType(last, frame)
  if (target === undefined) return name === 'isof' ? booleanType : untyped
  if (!isCastable(from, target, frame)) {
    const found = `${describeType(from)} to ${describeType(target)}`
    report(frame, 'invalidCast', `'${name}' cannot relate ${found}.`)
  }
  return name === 'isof' ? booleanType : target
}

function targetType(type: TypeExpression, frame: Frame): StaticType | undefined {
  const target = qualifiedType(type.name, frame)
  if (target === undefined) {
    const hint = didYouMean(type.name.slice(type.name.lastIndexOf('.') + 1), Object.keys(frame.types))
    report(frame, 'unknownType', `Could not find a type named '${type.name}'.${hint}`)
    return undefined
  }
  return type.collection ? { kind: 'collection', of: target } : target
}

function isCastable(from: StaticType, to: StaticType, frame: Frame): boolean {
  if (from.kind === 'collection' && to.kind === 'collection') return isCastable(from.of, to.of, frame)
  if (from.kind === 'null' || from.kind === 'untyped') return true
  if (from.kind === 'collection' || to.kind === 'collection') return false
  return isValue(from) && isValue(to) ? isValueCast(comparedName(from), comparedName(to)) : isRelated(from, to, frame)
}

function isValue(type: SingleType): boolean {
  return type.kind === 'primitive' || type.kind === 'enum'
}

/** The name of a value's type; enumerations count as what they are cast to, a number. */
function comparedName(type: SingleType): string {
  return type.kind === 'primitive' ? type.name : 'Edm.Int64'
}

function isValueCast(from: string, to: string): boolean {
  if (from === to || from === 'Edm.String' || to === 'Edm.String') return true
  if (isNumericTypeName(from) && isNumericTypeName(to)) return true
  if (from === 'Edm.DateTimeOffset') return to === 'Edm.Date' || to === 'Edm.TimeOfDay'
  return isIntegerTypeName(from) && isIntegerTypeName(to)
}
