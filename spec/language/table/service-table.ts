import type { Capabilities, Condition } from '../../../runtime/query/index.js'
import { type FaultName, featureNames } from '../document.js'
import type {
  Authentication,
  ContainerElement,
  ErrorDefinition,
  Preference,
  QueryCapabilities,
  Service,
} from '../model/service.js'
import type { Operation } from '../model/types.js'
import { recordOf } from '../record.js'
import { queryFunctionTable, uncallableFunctions } from './query-functions.js'
import { routeData } from './routes.js'
import type { ContainerData, ErrorData, PreferenceData, ServiceTableData } from './table-data.js'
import { buildTypeTable } from './type-table.js'

/**
 * The table that the server core runs a service from: the generator prints it into the skeleton, `serve` builds it at
 * start. What is at its default is left out, so that the printed table is short.
 */
export function buildServiceTable(service: Service): ServiceTableData {
  const capabilitiesOf = sharedCapabilities()
  const hasOverloads = overloads(service)
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
    ...functionsInQueries(service),
    ...supportedFeatures(service),
    limits: service.limits,
  }
}

function supportedFeatures({ features }: Service): Pick<ServiceTableData, 'features'> {
  const supported = featureNames.filter(name => features[name] !== 'none')
  return supported.length === 0 ? {} : { features: supported }
}

function functionsInQueries(service: Service): Pick<ServiceTableData, 'functions' | 'uncallable'> {
  const functions = queryFunctionTable(service)
  const uncallable = uncallableFunctions(service)
  return {
    ...(Object.keys(functions).length === 0 ? {} : { functions }),
    ...(Object.keys(uncallable).length === 0 ? {} : { uncallable }),
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

/** Turns query options of the model into plain data, each once, so that endpoints that share them go on doing so. */
function sharedCapabilities(): (query: QueryCapabilities) => Capabilities {
  const known = new Map<QueryCapabilities, Capabilities>()
  return query => {
    const found = known.get(query) ?? capabilitiesData(query)
    known.set(query, found)
    return found
  }
}

function capabilitiesData(query: QueryCapabilities): Capabilities {
  const { filter, orderby, expand, top, search } = query
  return {
    select: query.select,
    filter: {
      support: filter.support,
      operators: filter.operators,
      functions: filter.functions,
      lambdas: filter.lambdas,
      properties: filter.properties,
      ...(filter.maxNodes === undefined ? {} : { maxNodes: filter.maxNodes }),
    },
    orderby: {
      support: orderby.support,
      ...(orderby.only === undefined ? {} : { only: orderby.only }),
      properties: orderby.properties,
      ...(orderby.maxKeys === undefined ? {} : { maxKeys: orderby.maxKeys }),
    },
    expand: {
      support: expand.support,
      relations: expand.relations,
      maxDepth: expand.maxDepth,
      nested: expand.nested,
      ...(expand.scopes === undefined ? {} : { scopes: expand.scopes }),
    },
    top: {
      support: top.support,
      ...(top.default === undefined ? {} : { default: top.default }),
      ...(top.max === undefined ? {} : { max: top.max }),
      above: top.above,
      min: top.min,
    },
    skip: query.skip,
    count: query.count,
    ...(query.compute === undefined ? {} : { compute: query.compute }),
    ...(query.apply === undefined || query.apply.support === 'none' ? {} : { apply: query.apply }),
    search: search.support === 'none' ? noSearch : searchData(search),
    requires: query.requires.filter(isDemanded).map(conditionData),
  }
}

/** A service without a search does not need its settings. */
const noSearch: Capabilities['search'] = { support: 'none', syntax: 'words', join: [], properties: [] }

function searchData({ support, syntax, join, properties }: QueryCapabilities['search']): Capabilities['search'] {
  return { support, syntax, join, properties }
}

/** Where a condition hangs on an open choice, our own service demands it only when it has chosen to. */
function isDemanded(condition: QueryCapabilities['requires'][number]): boolean {
  return condition.open === undefined || condition.open.reference === 'rejected'
}

function conditionData({ when, header, otherwise }: QueryCapabilities['requires'][number]): Condition {
  return { when, header: { name: header.name, value: header.value }, otherwise: otherwise.name }
}

/** What is sent of an error. */
function errorData({ status, code, message }: ErrorDefinition): ErrorData {
  return { status, code, message }
}

/** The error of each fault, as it is sent. */
function faultErrors(faults: Readonly<Record<FaultName, ErrorDefinition>>): Readonly<Record<FaultName, ErrorData>> {
  return {
    pathNotFound: errorData(faults.pathNotFound),
    itemNotFound: errorData(faults.itemNotFound),
    methodNotAllowed: errorData(faults.methodNotAllowed),
    notAcceptable: errorData(faults.notAcceptable),
    unsupportedMediaType: errorData(faults.unsupportedMediaType),
    malformedQueryOption: errorData(faults.malformedQueryOption),
    unsupportedQueryOption: errorData(faults.unsupportedQueryOption),
    malformedBody: errorData(faults.malformedBody),
    invalidBody: errorData(faults.invalidBody),
    malformedKey: errorData(faults.malformedKey),
    invalidParameter: errorData(faults.invalidParameter),
    malformedEntityTag: errorData(faults.malformedEntityTag),
    preconditionFailed: errorData(faults.preconditionFailed),
    preconditionRequired: errorData(faults.preconditionRequired),
    conflict: errorData(faults.conflict),
    expiredToken: errorData(faults.expiredToken),
    payloadTooLarge: errorData(faults.payloadTooLarge),
    uriTooLong: errorData(faults.uriTooLong),
    tooManyRequests: errorData(faults.tooManyRequests),
    notImplemented: errorData(faults.notImplemented),
    internalError: errorData(faults.internalError),
    serviceUnavailable: errorData(faults.serviceUnavailable),
  }
}
