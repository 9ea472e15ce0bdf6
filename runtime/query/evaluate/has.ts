import { EvaluationError } from '../evaluation-error.js'
import type { TypeTable } from '../schema.js'
import { enumValue, memberNames } from './enum-value.js'
import { describeValue, type EnumValue, type Present, type Value } from './value.js'

/**
 * Whether all flags of the right operand are set on the left one; null when one operand is.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.1.10
 */
export function evaluateHas(left: Value, right: Value, types: TypeTable | undefined): Value {
  if (left === null || right === null) return null
  const [flags, wanted] = asMembers(left, right, types)
  if (flags.number !== undefined && wanted.number !== undefined) {
    return (flags.number & wanted.number) === wanted.number
  }
  const names = new Set(memberNames(flags.text))
  return memberNames(wanted.text).every(name => names.has(name))
}

function asMembers(left: Present, right: Present, types: TypeTable | undefined): readonly [EnumValue, EnumValue] {
  const flags = memberMeant(left, right, types)
  const wanted = memberMeant(right, left, types)
  if (flags !== undefined && wanted !== undefined) return [flags, wanted]
  throw new EvaluationError(
    `\`has\` needs members of one enumeration, not ${describeValue(left)} and ${describeValue(right)}.`,
  )
}

/** The operand itself, or a string read as a member of the other operand's type. */
function memberMeant(operand: Present, other: Present, types: TypeTable | undefined): EnumValue | undefined {
  if (typeof operand === 'boolean') return undefined
  if (operand.kind === 'enum') return operand
  const isMember = operand.kind === 'string' && typeof other !== 'boolean' && other.kind === 'enum'
  return isMember ? enumValue(other.type, operand.text, types) : undefined
}
