import type { QueryOptions } from '../../runtime/query/index.js'
import type { QueryCapabilities, Support } from '../../spec/language/index.js'
import { constructsOf } from '../rule/constructs-of.js'
import type { Session } from '../session/session.js'

/** Whether every service of the spec must answer a filter: each construct of it is `required`, and nothing else is asked. */
export function isFilterDemanded(options: QueryOptions, query: QueryCapabilities, { service }: Session): boolean {
  const { filter } = query
  if (filter.support !== 'required' || Object.keys(options).some(name => name !== 'filter')) return false
  if (service.open.some(({ name }) => name === 'optionSupport' || name === 'queryLimits')) return false
  return constructsOf(options).every(construct => {
    if (construct === 'filter') return true
    if (construct.startsWith('filter:')) {
      const path = construct.slice('filter:'.length)
      return !Object.keys(filter.properties).some(name => path === name || path.startsWith(`${name}/`))
    }
    const name = construct.slice('filter.'.length)
    return [filter.operators, filter.functions, filter.lambdas].some(record => isRequired(record, name))
  })
}

function isRequired(record: Readonly<Record<string, Support>>, name: string): boolean {
  return Object.hasOwn(record, name) && record[name] === 'required'
}
