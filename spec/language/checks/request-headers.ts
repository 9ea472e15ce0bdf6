import { isStreamEndpoint, type Support } from '../model/service.js'
import { type EntityType, followPath } from '../model/types.js'
import { type Check, mayLackMembers } from './check.js'

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

/** The default of a preference is one of its values, and its property exists where an endpoint honours it. */
export const preferences: Check = context => {
  const { service, report } = context
  for (const { name, values, default: value, location } of service.preferences) {
    if (value === undefined || values.includes(value)) continue
    const message = `"${value}" is not a value of "${name}": ${values.join(', ')}.`
    report({ code: 'spec/preference-default', message, at: `${location.pointer}/default` })
  }
  for (const endpoint of service.endpoints) {
    if (endpoint.kind === 'call' || mayLackMembers(endpoint.type, context)) continue
    for (const [index, { name, property }] of endpoint.preferences.entries()) {
      if (property === undefined || followPath(endpoint.type, property)) continue
      const message = `The preference "${name}" chooses the format of "${property}", which "${endpoint.type.name}" does not have.`
      report({ code: 'spec/preference-property', message, at: `${endpoint.location.pointer}/prefer/${index}` })
    }
  }
}
