import type { EvaluationOptions } from '../evaluate/environment.js'
import { evaluate } from '../evaluate/evaluate.js'
import type { Json } from '../evaluate/value-json.js'
import { parseFilter } from '../parse/filter.js'

/** The value of an expression, given as text, for a row. */
export function evaluateText(text: string, row: unknown = {}, options: EvaluationOptions = {}): Json {
  return evaluate(parseFilter(text), row, options)
}
