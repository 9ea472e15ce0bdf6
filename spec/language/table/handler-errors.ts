import type { FaultName } from '../document/index.js'
import type { Endpoint } from '../model/endpoint.js'
import type { ErrorDefinition, Service } from '../model/service.js'

/**
 * The errors that an endpoint's handler may give: those that the spec names there, then what only a handler can find out
 * on an endpoint of its kind, where the spec names no error of the same status for it.
 */
export function handlerErrors(endpoint: Endpoint, faults: Service['faults']): readonly ErrorDefinition[] {
  const errors = [...endpoint.errors]
  const ofOwnStatus = new Set(errors.map(error => error.status))
  for (const fault of faultsOfHandlers(endpoint)) {
    const error = faults[fault]
    const told = error.status === 400 ? errors.includes(error) : ofOwnStatus.has(error.status)
    if (!told && !errors.includes(error)) errors.push(error)
  }
  return errors
}

function faultsOfHandlers(endpoint: Endpoint): readonly FaultName[] {
  const faults: FaultName[] = []
  if (endpoint.keys.length > 0 || (endpoint.kind === 'item' && endpoint.absent === 404)) faults.push('itemNotFound')
  switch (endpoint.kind) {
    case 'create':
      return [...faults, 'invalidBody', 'conflict']
    case 'update':
    case 'replace':
      return [...faults, 'invalidBody', 'conflict', ...tagFaults(endpoint.ifMatch)]
    case 'delete':
      return [...faults, ...tagFaults(endpoint.ifMatch)]
    case 'call':
      return [...faults, 'invalidParameter']
    case 'delta':
      return [...faults, 'malformedQueryOption', 'expiredToken']
    case 'collection':
      return [...faults, 'malformedQueryOption']
    default:
      return faults
  }
}

function tagFaults(ifMatch: string): readonly FaultName[] {
  return ifMatch === 'none' ? [] : ['preconditionFailed']
}
