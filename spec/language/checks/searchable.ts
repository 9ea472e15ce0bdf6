import { queryUses } from '../model/service.js'
import { memberAt } from '../source/json-pointer.js'
import { type Check, mayLackMembers } from './check.js'

/** If `$search` is allowed, some property is searchable. */
export const searchable: Check = context => {
  const { document, service, report } = context
  for (const [{ search, location }, types] of queryUses(service)) {
    if (search.support === 'none' || search.properties.length > 0) continue
    // An empty list says that it is not known what is searched.
    if (Array.isArray(memberAt(document, `${location.pointer}/search/properties`))) continue
    if (types.length === 0 || types.some(type => mayLackMembers(type, context))) continue
    const message = `\`search\` has nothing to search: no property of ${types.map(type => `"${type.name}"`).join(', ')} has \`search\`.`
    report({
      severity: 'warning',
      code: 'spec/nothing-to-search',
      message,
      at: `${location.pointer}/search`,
      on: 'key',
    })
  }
}
