import type { QueryOptions } from '../../runtime/query/index.js'
import type { QueryCapabilities } from '../../spec/language/index.js'
import type { Session } from '../session/session.js'
import { pathNames } from './property-path.js'

/**
 * Whether every service of the spec must answer these options: each is `required`, and so may be all of them together.
 * Where the spec speaks of no support for a detail, such as an option nested in `$expand`, it is not demanded.
 */
export function isDemanded(
  options: QueryOptions,
  query: QueryCapabilities,
  { service, choices }: Pick<Session, 'service' | 'choices'>,
): boolean {
  const names = Object.keys(options)
  const combinations = service.open.find(({ name }) => name === 'optionCombinations')
  const mayLimit = combinations !== undefined && String(choices.get('optionCombinations')) !== 'all'
  if (names.length > 1 && mayLimit) return false
  return names.every(name => {
    switch (name) {
      case 'select':
      case 'skip':
      case 'count':
        return query[name] === 'required'
      case 'top':
        return isTopDemanded(options.top, query)
      case 'orderby':
        return isOrderbyDemanded(options, query)
      case 'expand':
        return isExpandDemanded(options, query)
      default:
        return false
    }
  })
}

function isTopDemanded(top: number | undefined, { top: allowed }: QueryCapabilities): boolean {
  if (top === undefined || allowed.support !== 'required') return false
  return top >= Math.max(allowed.min, 1) && (allowed.max === undefined || top <= allowed.max)
}

function isOrderbyDemanded({ orderby = [] }: QueryOptions, { orderby: allowed }: QueryCapabilities): boolean {
  const { support, only, properties, maxKeys } = allowed
  if (support !== 'required' || orderby.length > (maxKeys ?? 1)) return false
  return orderby.every(item => {
    const name = pathNames(item)?.join('/')
    if (name === undefined) return false
    if (Object.hasOwn(properties, name)) return properties[name] === 'required'
    return only === undefined ? !name.includes('/') : only.includes(name)
  })
}

function isExpandDemanded({ expand = [] }: QueryOptions, { expand: allowed }: QueryCapabilities): boolean {
  if (allowed.support !== 'required' || expand.length > 1) return false
  return expand.every(({ path, options }) => {
    const name = path.join('/')
    const isRequired = Object.hasOwn(allowed.relations, name) && allowed.relations[name] === 'required'
    return isRequired && Object.keys(options ?? {}).length === 0
  })
}
