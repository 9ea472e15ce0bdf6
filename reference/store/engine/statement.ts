import { asSqlValue, Slot, type SlotValues, type SqlValue } from './sql-value.js'

/** SQL text that was compiled once, with its values and the places of those that come later. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly (SqlValue | Slot)[]
}

/** The values of a statement for one run. */
export function parametersOf({ parameters }: Statement, values: SlotValues): SqlValue[] {
  return parameters.map(parameter => (parameter instanceof Slot ? parameter.encode(values[parameter.name]) : parameter))
}

/** What a compiler found as parameters, checked. */
export function asParameters(parameters: readonly unknown[]): readonly (SqlValue | Slot)[] {
  return parameters.map(parameter => (parameter instanceof Slot ? parameter : asSqlValue(parameter)))
}
