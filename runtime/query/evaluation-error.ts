/**
 * An expression that has no value for a row: operands whose types do not go together, a division by zero, a function that
 * only a service can answer. The expression is well written; a service refuses it or lacks what it would take.
 *
 * @see OData 4.01 URL Conventions, 5.1.1
 */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError'
}
