import type { QueryOptions } from '../../../../runtime/query/index.js'
import type { TopCapabilities } from '../../../../spec/language/index.js'
import type { Exchange } from '../exchange.js'
import type { Checked } from './check-options.js'

/** `$top` within its bounds: what is above the most is cut, refused or passed over. */
export function withinTop(options: QueryOptions, bounds: TopCapabilities, exchange: Exchange): Checked {
  const { behaviour, service } = exchange
  const { top, ...others } = options
  if (top === undefined || bounds.support === 'none') return { kind: 'checked', options }
  const refused: Checked = {
    kind: 'refused',
    error: service.faults.unsupportedQueryOption,
    message: `'$top=${top}' is not supported here.`,
  }
  if (top === 0 && behaviour.choices['topZero'] === 'error') return refused
  if (bounds.max === undefined || top <= bounds.max) return { kind: 'checked', options }
  const above = bounds.above === 'open' ? behaviour.choices['topAboveMaximum'] : bounds.above
  if (above === 'error') return refused
  return { kind: 'checked', options: above === 'ignore' ? others : { ...others, top: bounds.max } }
}
