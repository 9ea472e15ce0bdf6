import type { QueryOptions } from '../../query/ast.js'
import type { Capabilities } from '../../query/capabilities/capabilities.js'

/** What happens to `$top` above the maximum: the interface may leave it open, the service decides. */
export type AboveMaximum = 'error' | 'clamp' | 'ignore'

/** The service's answer to the open choice, where the endpoint does not say itself. */
export function aboveMaximum(capabilities: Capabilities, choice: string | number | undefined): AboveMaximum {
  if (capabilities.top.above !== 'open') return capabilities.top.above
  return choice === 'error' || choice === 'ignore' ? choice : 'clamp'
}

/** The options with a `$top` above the maximum brought down or dropped; where it means a total, it is left alone. */
export function effectiveTop(
  options: QueryOptions,
  max: number | undefined,
  above: AboveMaximum,
  meansTotal: boolean,
): QueryOptions {
  if (options.top === undefined || max === undefined || options.top <= max || meansTotal) return options
  const { top: _top, ...rest } = options
  return above === 'clamp' ? { ...rest, top: max } : rest
}
