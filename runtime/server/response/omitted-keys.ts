import type { QueryOptions, TypeTable } from '../../query/index.js'
import { structuredType } from '../type-lookup.js'
import { type ProjectionRules, returnedProperties } from './returned-properties.js'

/** Whether a query leaves out the key of an item, at any depth. */
export function omitsKeys(
  query: Pick<QueryOptions, 'select' | 'expand'>,
  typeName: string,
  types: TypeTable,
  rules: ProjectionRules,
): boolean {
  const type = structuredType(types, typeName)
  if (type === undefined) return false
  const returned = new Set(returnedProperties(query, type, rules).flatMap(each => (each.sentAsNull ? [] : [each.name])))
  if (type.key.some(name => !returned.has(name))) return true
  return (query.expand ?? []).some(({ path, options = {} }) => {
    const name = path.at(-1)
    const targets = Object.entries(type.navigation).filter(([property]) => name === '*' || name === property)
    return targets.some(([, info]) => omitsKeys(options, info.type, types, rules))
  })
}
