import type { Operation } from './model/operation.js'
import type { Authentication, ContainerElement, ErrorDefinition, Preference, Service } from './model/service.js'
import { sharedCapabilities } from './table/capabilities-data.js'
import { errorData, faultErrors } from './table/fault-errors.js'
import { recordOf } from './table/record-of.js'
import { routeData } from './table/route-data.js'
import type { ContainerData, PreferenceData, ServiceTableData } from './table/table-data.js'
import { buildTypeTable } from './table/type-table.js'

/**
 * The table that the server core runs a service from: the generator prints it into the skeleton, `serve` builds it at
 * start. What is at its default is left out, so that the printed table is short.
 */
export function buildServiceTable(service: Service): ServiceTableData {
  const capabilitiesOf = sharedCapabilities()
  const hasOverloads = overloads(service)
  const { url, body } = service.limits
  return {
    name: service.name,
    namespace: service.namespace,
    version: service.version,
    types: buildTypeTable(service),
    container: recordOf(service.container, element => [element.name, containerData(element)]),
    routes: service.endpoints.map(endpoint => routeData(endpoint, service, capabilitiesOf, hasOverloads)),
    errors: recordOf(allErrors(service), error => [error.name, errorData(error)]),
    faults: faultErrors(service.faults),
    authentication: authenticationData(service.authentication),
    preferences: recordOf(service.preferences, preference => [preference.id, preferenceData(preference)]),
    choices: recordOf(service.open, choice => [choice.name, choice.reference]),
    limits: { url, body },
  }
}

/** Whether functions of one qualified name differ in their parameters. */
function overloads({ operations }: Service): (operation: Operation) => boolean {
  const counts = new Map<string, number>()
  for (const { kind, qualifiedName } of operations) {
    if (kind === 'function') counts.set(qualifiedName, (counts.get(qualifiedName) ?? 0) + 1)
  }
  return ({ kind, qualifiedName }) => kind === 'function' && (counts.get(qualifiedName) ?? 0) > 1
}

function containerData(element: ContainerElement): ContainerData {
  const principal = element.kind === 'singleton' && element.principal
  return { kind: element.kind, type: element.type.name, ...(principal ? { principal: true } : {}) }
}

/** The declared errors, and the language's own for what the spec leaves to it. */
function allErrors(service: Service): Iterable<ErrorDefinition> {
  const { missing, insufficient } = service.authentication
  const all = [...service.errors, ...Object.values(service.faults)]
  if (missing !== undefined) all.push(missing)
  if (insufficient !== undefined) all.push(insufficient)
  return new Map(all.map(error => [error.name, error])).values()
}

function authenticationData({ scheme, missing, insufficient }: Authentication): ServiceTableData['authentication'] {
  return {
    scheme,
    ...(missing === undefined ? {} : { missing: missing.name }),
    ...(insufficient === undefined ? {} : { insufficient: insufficient.name }),
  }
}

function preferenceData(preference: Preference): PreferenceData {
  return {
    name: preference.name,
    values: preference.values,
    ...(preference.default === undefined ? {} : { default: preference.default }),
    ...(preference.property === undefined ? {} : { property: preference.property }),
  }
}
