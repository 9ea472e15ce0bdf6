import { memberAt } from '../source/member-at.js'
import { mayLackMembers } from './may-lack-members.js'
import { queryUses } from './query-uses.js'
import type { Rule } from './rule.js'

/** Where `$search` is allowed there is something to search. */
export const searchable: Rule = context => {
  const { document, service, report } = context
  for (const [{ search, place }, types] of queryUses(service)) {
    if (search.support === 'none' || search.properties.length > 0) continue
    // An empty list says that it is not known what is searched.
    if (Array.isArray(memberAt(document, `${place.pointer}/search/properties`))) continue
    if (types.length === 0 || types.some(type => mayLackMembers(type, context))) continue
    const message = `\`search\` has nothing to search: no property of ${types.map(type => `"${type.name}"`).join(', ')} says \`search\`.`
    report({ severity: 'warning', code: 'spec/nothing-to-search', message, at: `${place.pointer}/search`, on: 'key' })
  }
}
