import type {
  CreateEndpoint,
  Endpoint,
  Operation,
  Service,
  StreamEndpoint,
  UpdateEndpoint,
} from '../../../spec/language/index.js'
import { description, memberDescription, withArticle } from '../doc-comments.js'
import { type Json, type JsonObject, jsonObject } from '../json.js'
import { valueSchema } from '../json-schema/structured-schema.js'
import { bodyUses, concreteTypes, derivedEntityTypes } from '../write-shapes.js'
import { headerParameters, pathParameters } from './parameters.js'
import { queryParameters } from './query-parameters.js'
import { errorResponses, streamContent, successResponses } from './responses.js'
import { schemasPrefix, shapeReference } from './schemas.js'

/** One method on one path. @see OpenAPI 3.1, 4.8.10 (Operation Object) */
export function operationObject(endpoint: Endpoint, service: Service): JsonObject {
  const parameters = [...pathParameters(endpoint), ...queryParameters(endpoint), ...headerParameters(endpoint, service)]
  const notes = endpoint.support === 'optional' ? ['An implementation may reject it with an error.'] : []
  return jsonObject([
    ['operationId', endpoint.name],
    ['tags', [tagOf(endpoint)]],
    ['summary', summary(endpoint)],
    ['description', description(endpoint.kind === 'call' ? { ...endpoint.operation, ...endpoint } : endpoint, notes)],
    ['parameters', parameters.length === 0 ? undefined : parameters],
    ['requestBody', requestBody(endpoint, service)],
    ['responses', { ...successResponses(endpoint, service), ...errorResponses(endpoint, service) }],
    ['security', security(endpoint, service)],
  ])
}

/** Where the path begins. */
function tagOf({ resolved, name }: Endpoint): string {
  const [first] = resolved
  return first?.kind === 'entitySet' || first?.kind === 'singleton' ? first.element.name : name
}

function summary(endpoint: Endpoint): string {
  const collection = endpoint.path.template
    .split('/')
    .findLast(segment => /^[^{$(]+$/.test(segment) && segment !== 'delta')
  switch (endpoint.kind) {
    case 'collection':
      return `Read a page of ${collection}`
    case 'count':
      return `Count ${collection}`
    case 'delta':
      return `Read changes of ${collection}`
    case 'item':
      return `Read ${withArticle(endpoint.type.name)}`
    case 'create':
      return `Create ${withArticle(endpoint.type.name)}`
    case 'update':
      return `Change ${withArticle(endpoint.type.name)}`
    case 'replace':
      return `Replace ${withArticle(endpoint.type.name)}`
    case 'delete':
      return `Delete ${withArticle(endpoint.type.name)}`
    case 'createMedia':
      return `Create ${withArticle(endpoint.type.name)} from its media stream`
    case 'readStream':
      return `Read ${streamText(endpoint)}`
    case 'replaceStream':
      return `Replace ${streamText(endpoint)}`
    case 'deleteStream':
      return `Delete ${streamText(endpoint)}`
    case 'call':
      return `Call ${endpoint.operation.name}`
  }
}

const streamText = ({ type, property }: StreamEndpoint): string =>
  property === undefined ? `the media stream of ${withArticle(type.name)}` : `the stream ${property.name}`

/** A caller needs one of the scopes, so each is an alternative. */
function security(endpoint: Endpoint, { authentication }: Service): Json | undefined {
  if (authentication.scheme === 'none') return undefined
  return endpoint.scopes.length === 0 ? [{ bearer: [] }] : endpoint.scopes.map(scope => ({ bearer: [scope] }))
}

/** The body of a request, for methods that have one. */
function requestBody(endpoint: Endpoint, service: Service): Json | undefined {
  switch (endpoint.kind) {
    case 'create':
    case 'update':
    case 'replace':
      return jsonBody(itemSchema(endpoint, service))
    case 'createMedia':
    case 'replaceStream':
      return { required: true, content: streamContent(endpoint) }
    case 'call':
      if (endpoint.operation.kind !== 'action' || endpoint.operation.parameters.length === 0) return undefined
      return jsonBody(parametersSchema(endpoint.operation))
    default:
      return undefined
  }
}

/** An item of the endpoint's type, or of one that derives from it. */
function itemSchema(endpoint: CreateEndpoint | UpdateEndpoint, service: Service): Json {
  const types = concreteTypes(endpoint.type, derivedEntityTypes(service))
  const [first = {}, ...others] = types.map(type => shapeReference(type, bodyUses[endpoint.kind]))
  return others.length === 0 ? first : { anyOf: [first, ...others] }
}

function jsonBody(schema: Json): JsonObject {
  return { required: true, content: { 'application/json': { schema } } }
}

function parametersSchema({ parameters }: Operation): JsonObject {
  const required = parameters.filter(({ optional }) => !optional).map(({ name }) => name)
  const scope = { prefix: schemasPrefix, geoTypes: new Set<string>() }
  return jsonObject([
    ['type', 'object'],
    [
      'properties',
      jsonObject(
        parameters.map(each => [
          each.name,
          jsonObject([...Object.entries(valueSchema(each, 'create', scope)), ['description', memberDescription(each)]]),
        ]),
      ),
    ],
    ['required', required.length === 0 ? undefined : required],
  ])
}
