import type { Capabilities } from '../../../runtime/query/capabilities/capabilities.js'
import type { Endpoint, ResolvedSegment } from '../model/endpoint.js'
import type { Operation, Parameter } from '../model/operation.js'
import type { QueryCapabilities } from '../model/query-capabilities.js'
import type { Service } from '../model/service.js'
import { handlerErrors } from './handler-errors.js'
import { pathSegments } from './path-segments.js'
import { recordOf } from './record-of.js'
import type { OperationData, ParameterData, ResourceData, RouteData } from './table-data.js'
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
    resource: endpoint.resolved.flatMap(resourceData),
    status: endpoint.status,
    ...(endpoint.kind === 'call' ? { operation: operationData(endpoint.operation) } : { type: endpoint.type.name }),
    ...('query' in endpoint && endpoint.query !== undefined ? { query: capabilitiesOf(endpoint.query) } : {}),
    ...('ifMatch' in endpoint ? { ifMatch: endpoint.ifMatch } : {}),
    ...('ifNoneMatch' in endpoint ? { ifNoneMatch: endpoint.ifNoneMatch } : {}),
    ...('absent' in endpoint && endpoint.absent === 204 ? { absent: endpoint.absent } : {}),
    scopes: endpoint.scopes,
    errors: handlerErrors(endpoint, service.faults).map(error => error.name),
    preferences: endpoint.preferences.map(preference => preference.id),
  }
}

function resourceData(segment: ResolvedSegment): readonly ResourceData[] {
  switch (segment.kind) {
    case 'entitySet':
    case 'singleton':
      return [{ kind: segment.kind, name: segment.element.name, type: segment.element.type.name }]
    case 'key':
      return [{ kind: 'key', type: segment.type.name, variables: segment.variables }]
    case 'navigation': {
      const { name, type, collection } = segment.property
      return [{ kind: 'navigation', name, type: type.name, collection }]
    }
    case 'property':
      return [{ kind: 'property', name: segment.property.name }]
    case 'cast':
      return [{ kind: 'cast', type: segment.type.name }]
    case 'operation':
      return [{ kind: 'operation', name: segment.operation.name }]
    case 'count':
    case 'delta':
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
