import type { NavigationProperty } from '../../spec/language/index.js'
import type { QuerySite } from './list-sites.js'

/** The relations that an endpoint may expand, in the order of its capabilities; those through complex values are left out. */
export function relationsOf({ endpoint, type }: QuerySite): readonly NavigationProperty[] {
  const { support, relations } = endpoint.query.expand
  if (support === 'none') return []
  return Object.entries(relations).flatMap(([name, each]) => {
    const relation = type.navigation.find(candidate => candidate.name === name)
    return each === 'none' || relation === undefined ? [] : [relation]
  })
}
