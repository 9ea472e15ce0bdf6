import { EvaluationError } from '../../evaluation-error.js'
import type { Environment } from '../environment.js'
import { parseDateTimeOffset } from '../temporal-text.js'
import type { Value } from '../value.js'

/** Instants that need no argument. @see OData 4.01 URL Conventions, 5.1.1.8.5, 5.1.1.8.6, 5.1.1.8.9 */
export const clockFunctions = {
  now: ({ options }: Environment): Value => instant((options.now?.() ?? new Date()).toISOString()),
  mindatetime: (): Value => instant('0001-01-01T00:00:00Z'),
  maxdatetime: (): Value => instant('9999-12-31T23:59:59.999999999999Z'),
} as const

function instant(text: string): Value {
  const value = parseDateTimeOffset(text)
  if (value === undefined) throw new EvaluationError(`${text} is no date and time.`)
  return value
}
