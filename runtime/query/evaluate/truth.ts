import { EvaluationError } from '../evaluation-error.js'
import { describeValue, type Value } from './value.js'

/** A truth value: true, false, or null for unknown. @throws {EvaluationError} for any other value */
export function truthOf(value: Value, where: string): boolean | null {
  if (value === null) return null
  if (typeof value === 'boolean') return value
  throw new EvaluationError(`\`${where}\` needs a Boolean, not ${describeValue(value)}.`)
}
