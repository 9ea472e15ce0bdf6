import type { Row } from '../json.js'
import type { Truth } from './truth.js'
import type { Possible } from './value.js'

/** A row, and the lambda variables around the expression. */
export interface Scope {
  readonly row: Row
  readonly variables?: Variable
}

export interface Variable {
  readonly name: string
  readonly value: Possible
  readonly outer?: Variable
}

/** An expression, prepared. */
export type ValueOf = (scope: Scope) => Possible
/** A condition, prepared. */
export type TruthOf = (scope: Scope) => Truth

/** What a lambda variable stands for. */
export function variableOf({ variables }: Scope, name: string): Possible {
  for (let each = variables; each !== undefined; each = each.outer) if (each.name === name) return each.value
  return 'unknown'
}
