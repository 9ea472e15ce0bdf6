import { canonicalFunctions } from '../parse/canonical-functions.js'
import type { Capabilities, FilterCapabilities, OrderbyCapabilities, Support } from './capabilities.js'

const allOperators = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'has', 'in', 'and', 'or', 'not', 'negate']
const arithmetic = ['add', 'sub', 'mul', 'div', 'divby', 'mod']

const anyFilter: FilterCapabilities = {
  support: 'optional',
  operators: optional([...allOperators, ...arithmetic]),
  functions: optional([...canonicalFunctions.keys()].filter(name => !name.startsWith('geo.'))),
  lambdas: optional(['any', 'all']),
  properties: {},
}

const anyOrderby: OrderbyCapabilities = { support: 'optional', properties: {} }

/**
 * What is allowed inside an expanded relation: what the endpoint itself allows; an option that it does not take at all, such
 * as `$filter` on a single item, is bound by nothing there.
 */
export function nestedCapabilities(capabilities: Capabilities): Capabilities {
  const { filter, orderby } = capabilities
  return {
    ...capabilities,
    filter: filter.support === 'none' ? anyFilter : filter,
    orderby: orderby.support === 'none' ? anyOrderby : orderby,
  }
}

function optional(names: readonly string[]): Readonly<Record<string, Support>> {
  return Object.fromEntries(names.map(name => [name, 'optional' as const]))
}
