import {
  buildServiceTable,
  type Endpoint,
  primitiveOf,
  type Service,
  type ServiceTableData,
  type ValueType,
} from '../../spec/language/index.js'
import { type FilterFields, filterFields } from './filter-fields.js'

/** How a value is written in TypeScript. */
type ArgumentForm = 'text' | 'number' | 'boolean' | 'json'

/** How the generated client calls an endpoint. */
interface ClientCall {
  /** `createDirectory`. */
  readonly factory: string
  /** The variable of the client in an example, and the folder of the generated code. */
  readonly variable: string
  readonly folder: string
  /** Those of the members that lead to the operation: `me`, `messages`, `list`. */
  readonly names: readonly string[]
  /** `list`: an iterable. */
  readonly result: 'list' | 'value' | 'nothing'
  /** The arguments in the path. A composite key is one argument, with a property for each part. */
  readonly keys: readonly (readonly {
    readonly name: string
    readonly property: string
    readonly form: ArgumentForm
  }[])[]
  /** Those of an operation. `variable` is that of the path. */
  readonly parameters: readonly {
    readonly name: string
    readonly variable: string | undefined
    readonly form: ArgumentForm
    readonly optional: boolean
  }[]
  readonly body: 'json' | 'stream' | 'none'
  /** The header with an entity tag that the endpoint supports. */
  readonly tagged: { readonly header: 'If-Match' | 'If-None-Match'; readonly required: boolean } | undefined
}

/** What the console of the page knows of an endpoint besides its OpenAPI operation. */
export interface EndpointDescription {
  readonly name: string
  readonly method: string
  readonly bearer: boolean
  readonly scopes: readonly string[]
  readonly call: ClientCall
  /** Undefined: the endpoint has no `$filter`. */
  readonly filter: FilterFields | undefined
}

/**
 * Describes the endpoints of a service by their names, each when it is asked for.
 *
 * @param factory the name of the function that creates a client, `createDirectory`
 */
export function endpointDescriptions(
  service: Service,
  factory: string,
): (name: string) => EndpointDescription | undefined {
  const table = buildServiceTable(service)
  const endpoints = new Map(service.endpoints.map(endpoint => [endpoint.name, endpoint]))
  return name => {
    const endpoint = endpoints.get(name)
    return (
      endpoint && {
        name,
        method: endpoint.method,
        bearer: service.authentication.scheme === 'bearer',
        scopes: endpoint.scopes,
        call: clientCall(endpoint, factory),
        filter: filterOf(endpoint, table),
      }
    )
  }
}

function filterOf(endpoint: Endpoint, { routes, types }: ServiceTableData): FilterFields | undefined {
  const query = routes.find(({ name }) => name === endpoint.name)?.query
  const type = endpoint.kind === 'call' ? endpoint.operation.returns?.type : endpoint.type
  if (query === undefined || query.filter.support === 'none' || type?.kind !== 'entityType') return undefined
  return filterFields(query, type, types)
}

function clientCall(endpoint: Endpoint, factory: string): ClientCall {
  const variable = factory.charAt(6).toLowerCase() + factory.slice(7)
  return {
    factory,
    variable,
    folder: variable,
    names: endpoint.name.split('.'),
    result: resultOf(endpoint),
    keys: keyArguments(endpoint),
    parameters: parametersOf(endpoint),
    body: bodyOf(endpoint),
    tagged: taggedOf(endpoint),
  }
}

function resultOf(endpoint: Endpoint): ClientCall['result'] {
  switch (endpoint.kind) {
    case 'collection':
    case 'delta':
      return 'list'
    case 'delete':
    case 'deleteStream':
    case 'replaceStream':
      return 'nothing'
    case 'call': {
      const { returns, kind } = endpoint.operation
      if (returns === undefined) return 'nothing'
      return kind === 'function' && returns.collection && returns.type.kind === 'entityType' ? 'list' : 'value'
    }
    default:
      return 'value'
  }
}

function keyArguments({ keys }: Endpoint): ClientCall['keys'] {
  const segments = new Map<number, ClientCall['keys'][number]>()
  for (const { segment, variable, property } of keys) {
    const part = { name: variable, property: property.name, form: formOf(property.type, false) }
    segments.set(segment, [...(segments.get(segment) ?? []), part])
  }
  return [...segments.values()]
}

function parametersOf(endpoint: Endpoint): ClientCall['parameters'] {
  if (endpoint.kind !== 'call') return []
  const variables = endpoint.resolved.flatMap(segment => (segment.kind === 'operation' ? [segment.variables] : []))[0]
  return endpoint.operation.parameters.map(({ name, type, collection, optional }) => ({
    name,
    variable: variables !== undefined && Object.hasOwn(variables, name) ? variables[name] : undefined,
    form: formOf(type, collection),
    optional,
  }))
}

function formOf(type: ValueType, collection: boolean): ArgumentForm {
  if (collection || type.kind === 'complexType' || type.kind === 'entityType') return 'json'
  const primitive = primitiveOf(type) ?? 'String'
  if (primitive === 'Boolean') return 'boolean'
  return /^(?:S?Byte|Int\d+|Single|Double|Decimal)$/.test(primitive) ? 'number' : 'text'
}

function bodyOf(endpoint: Endpoint): ClientCall['body'] {
  switch (endpoint.kind) {
    case 'create':
    case 'update':
    case 'replace':
      return 'json'
    case 'createMedia':
    case 'replaceStream':
      return 'stream'
    case 'call':
      return endpoint.operation.kind === 'action' && endpoint.operation.parameters.length > 0 ? 'json' : 'none'
    default:
      return 'none'
  }
}

function taggedOf(endpoint: Endpoint): ClientCall['tagged'] {
  if ('ifMatch' in endpoint && endpoint.ifMatch !== 'none')
    return { header: 'If-Match', required: endpoint.ifMatch === 'required' }
  if ('ifNoneMatch' in endpoint && endpoint.ifNoneMatch !== 'none' && endpoint.kind === 'item')
    return { header: 'If-None-Match', required: false }
  return undefined
}
