import { followPath } from '../model/types.js'
import { type Check, mayLackMembers } from './check.js'

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
