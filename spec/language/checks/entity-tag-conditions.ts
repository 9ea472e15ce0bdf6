import { isStreamEndpoint, type Support } from '../model/service.js'
import type { EntityType } from '../model/types.js'
import type { Check } from './check.js'

/** If-Match and If-None-Match need items with entity tags. */
export const entityTagConditions: Check = ({ service, report, isIncomplete }) => {
  for (const endpoint of service.endpoints) {
    if (!('ifMatch' in endpoint || 'ifNoneMatch' in endpoint) || isStreamEndpoint(endpoint)) continue
    const [word, support, type]: readonly [string, Support, EntityType] =
      'ifMatch' in endpoint
        ? ['ifMatch', endpoint.ifMatch, endpoint.type]
        : ['ifNoneMatch', endpoint.ifNoneMatch, endpoint.type]
    if (support === 'none' || type.entityTag !== 'none' || isIncomplete(`${type.location.pointer}/base`)) continue
    const message = `Items of "${type.name}" carry no entity tag. Add \`entityTag: weak\` there, or remove \`${word}\`.`
    const related = [{ message: `"${type.name}" is declared here`, at: type.location.pointer, on: 'key' as const }]
    report({ code: 'spec/no-entity-tag', message, at: `${endpoint.location.pointer}/${word}`, on: 'key', related })
  }
}
