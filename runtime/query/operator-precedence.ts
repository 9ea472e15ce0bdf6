import type { BinaryOperator } from './ast.js'

/**
 * How strongly each binary operator binds; more binds tighter. The signs `-` and `not` stand between `in` and `mul`.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.17
 */
export const operatorPrecedence: Readonly<Record<BinaryOperator, number>> = {
  or: 1,
  and: 2,
  eq: 3,
  ne: 3,
  gt: 4,
  ge: 4,
  lt: 4,
  le: 4,
  add: 5,
  sub: 5,
  mul: 6,
  div: 6,
  divby: 6,
  mod: 6,
  has: 7,
  in: 7,
}
