import type { Literal, QueryOptions } from '../../query/ast.js'

/**
 * What a query has in common with others that differ in their moments and in where their page begins: a handler that
 * prepares statements prepares them once for all of these.
 */
export interface QueryTemplate {
  /** The options of the first query that had this form: one object for all of them. */
  readonly options: QueryOptions
  /** Literals of `options`, and what this query has in their place. */
  readonly literals: ReadonlyMap<Literal, Literal>
}

/** Of a query that stands for itself alone. */
export const ownLiterals: ReadonlyMap<Literal, Literal> = new Map<Literal, Literal>()
