import type { Expression } from '../../../runtime/query/index.js'
import { Slot } from '../engine/sql-value.js'
import { checkedPattern } from '../pattern/checked-pattern.js'
import { argument, scalar } from './compile-call.js'
import type { Frame } from './frame.js'
import type { Operand } from './operand.js'
import { unsupported } from './unsupported.js'

/**
 * `matchesPattern(text,pattern)`; null where the text is. The pattern has to be known before the statement runs, a literal or
 * a parameter of an operation: engines have other regular expressions than ECMAScript's, into which this process brings it.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.7.1
 */
export function patternOperand(given: readonly Expression[], frame: Frame): Operand {
  const { dialect, option } = frame
  const text = argument(given[0], ['string'], 'matchesPattern', frame)
  const pattern = argument(given[1], ['string'], 'matchesPattern', frame)
  if (text === undefined || pattern === undefined) return { kind: 'null' }
  if (pattern.parameter !== undefined) {
    const encode = (value: unknown) =>
      typeof value === 'string' ? dialect.pattern(checkedPattern(value, option)) : null
    const slot = new Slot(`parameter ${pattern.parameter}`, encode)
    return scalar({ kind: 'boolean' }, dialect.matches(text.sql, slot))
  }
  if (pattern.text === undefined) {
    throw unsupported(
      option,
      "The pattern of 'matchesPattern' has to be a literal: patterns of items are not supported.",
    )
  }
  const wanted = dialect.pattern(checkedPattern(pattern.text, option))
  return scalar({ kind: 'boolean' }, dialect.matches(text.sql, wanted), text.nullable)
}
