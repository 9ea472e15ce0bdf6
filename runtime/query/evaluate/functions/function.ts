import { EvaluationError } from '../../evaluation-error.js'
import type { TypeTable } from '../../schema.js'
import { describeValue, type Present, type Value } from '../value.js'

/** A canonical function on arguments none of which is null. */
export type CanonicalFunction = (values: readonly Present[], types: TypeTable | undefined) => Value

/** The text of a string argument. @throws {EvaluationError} */
export function textArgument(name: string, value: Present | undefined): string {
  if (value !== undefined && typeof value !== 'boolean' && value.kind === 'string') return value.text
  return misfit(name, value, 'a string')
}

/** The number of an integer argument. @throws {EvaluationError} */
export function integerArgument(name: string, value: Present | undefined): number {
  if (value !== undefined && typeof value !== 'boolean' && value.kind === 'integer') return Number(value.value)
  return misfit(name, value, 'an integer')
}

/** Ends the evaluation: an argument is of the wrong type. */
export function misfit(name: string, value: Present | undefined, expected: string): never {
  const found = value === undefined ? 'nothing' : describeValue(value)
  throw new EvaluationError(`\`${name}\` needs ${expected}, not ${found}.`)
}
