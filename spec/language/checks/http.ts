import { type ErrorDefinition, isStreamEndpoint, type Singleton, type Support } from '../model/service.js'
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

/** A member of the error body is either required or optional. */
export const errorBody: Check = ({ service, report }) => {
  const { required, optional } = service.errorBody
  for (const [index, name] of optional.entries()) {
    if (!required.includes(name)) continue
    const message = `"${name}" is among the required members already. Remove it from one of the two lists.`
    const related = [{ message: 'required here', at: `/errorBody/required/${required.indexOf(name)}` }]
    report({ code: 'spec/error-body', message, at: `/errorBody/optional/${index}`, related })
  }
}

/** One error code goes with one status, so that who knows the code knows the status. */
export const errorCodeStatus: Check = ({ service, report }) => {
  const first = new Map<string, ErrorDefinition>()
  for (const error of service.errors) {
    const other = first.get(error.code)
    if (other === undefined) first.set(error.code, error)
    if (other === undefined || other.status === error.status || error.builtIn) continue
    const message = `The code "${error.code}" has the status ${other.status} elsewhere, and ${error.status} here. Use one status for a code.`
    const related = [{ message: `status ${other.status} here`, at: `${other.location.pointer}/status` }]
    report({ code: 'spec/error-code-status', message, at: `${error.location.pointer}/status`, related })
  }
}

/**
 * Missing credentials get 401, and insufficient ones 403, or 404 where even the existence is secret.
 *
 * @see RFC 6750, 3.1, and RFC 9110, 15.5.2 and 15.5.4
 */
export const authenticationStatus: Check = ({ service, report }) => {
  const { missing, insufficient, location } = service.authentication
  if (missing !== undefined && missing.status !== 401) {
    const message = `"${missing.name}" has the status ${missing.status}. The status for missing credentials is 401.`
    report({ code: 'spec/authentication-status', message, at: `${location.pointer}/missing` })
  }
  if (insufficient !== undefined && insufficient.status !== 403 && insufficient.status !== 404) {
    const message = `"${insufficient.name}" has the status ${insufficient.status}. The status for insufficient credentials is 403 or 404.`
    report({ code: 'spec/authentication-status', message, at: `${location.pointer}/insufficient` })
  }
}

/** Only a singleton can be the caller's own item, only one can, and only where callers are known. */
export const principalSingleton: Check = ({ document, service, report }) => {
  let first: Singleton | undefined
  for (const element of service.container) {
    const at = `${element.location.pointer}/bound`
    if (element.kind === 'entitySet') {
      if (document.container[element.name]?.bound === undefined) continue
      const message = `"${element.name}" is an entity set. Only a singleton can be \`bound\` to the caller.`
      report({ code: 'spec/principal', message, at, on: 'key' })
    } else if (element.principal) {
      if (service.authentication.scheme === 'none') {
        const message = `"${element.name}" is the item of the caller, but the service has no authentication. Declare \`authentication\`.`
        report({ code: 'spec/principal', message, at, on: 'key' })
      }
      if (first !== undefined) {
        const message = `"${first.name}" is already the item of the caller. Bind only one singleton.`
        const related = [{ message: 'declared here', at: first.location.pointer, on: 'key' as const }]
        report({ code: 'spec/principal', message, at, on: 'key', related })
      }
      first ??= element
    }
  }
}
