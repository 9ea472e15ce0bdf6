import type { Capabilities } from '../../../runtime/query/index.js'
import type { FaultName } from '../document.js'
import {
  type Endpoint,
  type ErrorDefinition,
  isStreamEndpoint,
  type PathKey,
  type QueryCapabilities,
  type ReadEndpoint,
  type ResolvedSegment,
  type Service,
  type StreamEndpoint,
  type UpdateEndpoint,
} from '../model/service.js'
import type { Operation, Parameter, Property } from '../model/types.js'
import { recordOf } from '../record.js'
import { unqualified } from '../resolve/resolve-operations.js'
import type {
  KeyData,
  OperationData,
  ParameterData,
  ResourceData,
  RouteData,
  SegmentData,
  StreamData,
} from './table-data.js'
import { facetsOf, typeName } from './type-table.js'

/** One endpoint as the server core routes, checks and answers it. */
export function routeData(
  endpoint: Endpoint,
  service: Service,
  capabilitiesOf: (query: QueryCapabilities) => Capabilities,
  hasOverloads: (operation: Operation) => boolean,
): RouteData {
  return {
    name: endpoint.name,
    kind: endpoint.kind,
    method: endpoint.method,
    path: endpoint.path.template,
    segments: pathSegments(endpoint, service.namespace, hasOverloads),
    resource: endpoint.resolved.flatMap(segment => resourceData(segment, service)),
    status: endpoint.status,
    ...(endpoint.kind === 'call' ? { operation: operationData(endpoint.operation) } : { type: endpoint.type.name }),
    ...('query' in endpoint && endpoint.query !== undefined ? { query: capabilitiesOf(endpoint.query) } : {}),
    ...('ifMatch' in endpoint ? { ifMatch: endpoint.ifMatch } : {}),
    ...('ifNoneMatch' in endpoint ? { ifNoneMatch: endpoint.ifNoneMatch } : {}),
    ...(isStreamEndpoint(endpoint) ? { stream: streamData(endpoint) } : {}),
    ...('absent' in endpoint && endpoint.absent === 204 ? { absent: endpoint.absent } : {}),
    scopes: endpoint.scopes,
    errors: handlerErrors(endpoint, service.faults).map(error => error.name),
    preferences: endpoint.preferences.map(preference => preference.id),
  }
}

function streamData({ type, property }: StreamEndpoint): StreamData {
  const mediaTypes = property === undefined ? type.mediaTypes : (property.mediaTypes ?? [])
  return {
    ...(property === undefined ? {} : { property: property.name }),
    ...(mediaTypes.length === 0 ? {} : { mediaTypes }),
    ...(property?.maxLength === undefined ? {} : { maxLength: property.maxLength }),
  }
}

function resourceData(segment: ResolvedSegment, { container }: Service): readonly ResourceData[] {
  switch (segment.kind) {
    case 'entitySet':
    case 'singleton':
      return [{ kind: segment.kind, name: segment.element.name, type: segment.element.type.name }]
    case 'key':
      return [{ kind: 'key', type: segment.type.name, variables: segment.variables }]
    case 'alternateKey': {
      const properties = segment.properties.map(({ name }) => name)
      return [{ kind: 'alternateKey', type: segment.type.name, properties, variables: segment.variables }]
    }
    case 'navigation': {
      const { name, type, collection } = segment.property
      const isOneOfSeveral = container.filter(each => each.kind === 'entitySet' && each.type === type).length > 1
      const set = isOneOfSeveral && segment.set !== undefined ? { set: segment.set.name } : {}
      return [{ kind: 'navigation', name, type: type.name, collection, ...set }]
    }
    case 'property':
      return [{ kind: 'property', name: segment.property.name }]
    case 'cast':
      return [{ kind: 'cast', type: segment.type.name }]
    case 'operation':
      return [{ kind: 'operation', name: segment.operation.name }]
    case 'count':
    case 'delta':
    case 'stream':
      return []
  }
}

function operationData(operation: Operation): OperationData {
  const { kind, name, parameters, returns, binding } = operation
  return {
    kind,
    name,
    parameters: recordOf(parameters, parameter => [parameter.name, parameterData(parameter)]),
    ...(returns === undefined
      ? {}
      : {
          returns: {
            type: typeName(returns.type),
            ...(returns.collection ? { collection: true } : {}),
            ...(returns.nullable ? { nullable: true } : {}),
          },
        }),
    ...(binding === undefined ? {} : { binding: binding.type.qualifiedName }),
  }
}

function parameterData(parameter: Parameter): ParameterData {
  return {
    type: typeName(parameter.type),
    ...(parameter.collection ? { collection: true } : {}),
    ...(parameter.nullable ? { nullable: true } : {}),
    ...(parameter.optional ? { optional: true } : {}),
    ...facetsOf(parameter),
    ...(parameter.format === undefined ? {} : { format: parameter.format }),
  }
}

/**
 * What a request path is matched against: the template as the spec writes it, each `{variable}` with the key that it is,
 * each call with the operation's name, its qualified one where that does not begin with the service's namespace, and its
 * parameters where a function has overloads.
 *
 * @param hasOverloads whether another function has the qualified name
 */
function pathSegments(
  endpoint: Endpoint,
  namespace: string,
  hasOverloads: (operation: Operation) => boolean,
): readonly SegmentData[] {
  const operations = new Map<string, SegmentData>()
  for (const segment of endpoint.resolved) {
    if (segment.kind !== 'operation') continue
    const { qualifiedName } = segment.operation
    const name = unqualified(qualifiedName)
    const isOwn = qualifiedName === `${namespace}.${name}`
    const overload = hasOverloads(segment.operation) ? { overload: Object.keys(segment.variables) } : {}
    operations.set(name, { kind: 'operation', name, ...(isOwn ? {} : { qualifiedName }), ...overload })
  }
  const parts = endpoint.path.template.split('/').filter(part => part !== '')
  return parts.flatMap((part, index) => segmentsOf(part, index === parts.length - 1, endpoint, operations))
}

const variablePart = /^\{([^{}]+)\}$/
const parenthesised = /^([^(]+)\((.*)\)$/
const variables = /\{([^{}]+)\}/g

function segmentsOf(
  part: string,
  last: boolean,
  endpoint: Endpoint,
  operations: ReadonlyMap<string, SegmentData>,
): readonly SegmentData[] {
  if (part === '$count') return [{ kind: 'count' }]
  if (last && endpoint.kind === 'delta') return [{ kind: 'delta' }]
  const variable = variablePart.exec(part)?.[1]
  if (variable !== undefined) return [{ kind: 'key', keys: keysOf([variable], endpoint) }]
  const [, name = part, inside = ''] = parenthesised.exec(part) ?? []
  const called = operations.get(unqualified(name))
  if (called !== undefined) return [called]
  // The path may call it by another name.
  if (last && endpoint.kind === 'call') return [{ kind: 'operation', name }]
  const names = [...inside.matchAll(variables)].map(match => match[1] ?? '')
  if (names.length === 0) return [{ kind: 'name', name: part }]
  const keys = keysOf(names, endpoint)
  const first = endpoint.keys.find(({ variable }) => variable === names[0])
  const isAlternate = first !== undefined && endpoint.resolved[first.segment]?.kind === 'alternateKey'
  return [
    { kind: 'name', name },
    { kind: isAlternate ? 'alternateKey' : 'key', keys },
  ]
}

function keysOf(names: readonly string[], endpoint: Endpoint): readonly KeyData[] {
  return names.map(name => endpoint.keys.find(key => key.variable === name)).flatMap(key => (key ? [keyData(key)] : []))
}

function keyData({ variable, property }: PathKey): KeyData {
  return { variable, property: property.name, type: typeName(property.type) }
}

/**
 * The endpoint that reads the changes of a list, if a request for the list can prefer them: the path `delta` below it.
 *
 * @see OData Protocol 4.01, 8.2.8.6 (track-changes)
 */
export function changesOfList(list: Endpoint, { features, endpoints }: Service): ReadEndpoint | undefined {
  if (features.trackChanges === 'none' || list.kind !== 'collection') return undefined
  const path = `${list.path.template}/delta`
  return endpoints.find((each): each is ReadEndpoint => {
    return each.kind === 'delta' && each.path.template.replace(/\(\)$/, '') === path
  })
}

/**
 * Whether an update or replacement creates the item if there is none. Media entities, and items by a key or an alternate key that
 * the service computes, cannot be created so.
 *
 * @see OData Protocol 4.01, 11.4.4 (upsert)
 */
export function isUpsert(endpoint: UpdateEndpoint, { features }: Pick<Service, 'features'>): boolean {
  const key = keyInPath(endpoint)
  return (
    features.upsert !== 'none' && key.length > 0 && key.every(({ computed }) => !computed) && !endpoint.type.hasStream
  )
}

/** The properties of the key or alternate key at the end of a path. Empty if the path ends with neither. */
export function keyInPath({ resolved, type }: UpdateEndpoint): readonly Property[] {
  const last = resolved.at(-1)
  if (last?.kind === 'alternateKey') return last.properties
  return last?.kind === 'key' ? type.key : []
}

/**
 * The errors that an endpoint's handler may give: those that the spec names there, then what only a handler can find out
 * on an endpoint of its kind, where the spec names no error of the same status for it.
 */
export function handlerErrors(endpoint: Endpoint, faults: Service['faults']): readonly ErrorDefinition[] {
  const errors = [...endpoint.errors]
  const ofOwnStatus = new Set(errors.map(error => error.status))
  for (const fault of faultsOfHandlers(endpoint)) {
    const error = faults[fault]
    const isCovered = error.status === 400 ? errors.includes(error) : ofOwnStatus.has(error.status)
    if (!isCovered && !errors.includes(error)) errors.push(error)
  }
  return errors
}

function faultsOfHandlers(endpoint: Endpoint): readonly FaultName[] {
  const faults: FaultName[] = []
  if (endpoint.keys.length > 0 || (endpoint.kind === 'item' && endpoint.absent === 404)) faults.push('itemNotFound')
  switch (endpoint.kind) {
    case 'create':
    case 'createMedia':
      return [...faults, 'invalidBody', 'conflict']
    case 'update':
    case 'replace':
      return [...faults, 'invalidBody', 'conflict', ...tagFaults(endpoint.ifMatch)]
    case 'delete':
    case 'replaceStream':
    case 'deleteStream':
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
