import type {
  CreateEndpoint,
  Endpoint,
  Operation,
  Service,
  UpdateEndpoint,
} from '../../../spec/language/model/index.js'
import { concreteTypes, derivedEntityTypes } from '../derived-types.js'
import { description } from '../json-schema/description.js'
import { type Json, type JsonObject, jsonObject } from '../json-schema/json.js'
import { valueSchema } from '../json-schema/value-schema.js'
import { bodyUses } from '../types/write-uses.js'
import { schemasPrefix, shapeReference } from './schema-reference.js'

/** What a request carries, for methods that carry something. */
export function requestBody(endpoint: Endpoint, service: Service): Json | undefined {
  switch (endpoint.kind) {
    case 'create':
    case 'update':
    case 'replace':
      return body(itemSchema(endpoint, service))
    case 'call':
      if (endpoint.operation.kind !== 'action' || endpoint.operation.parameters.length === 0) return undefined
      return body(parametersSchema(endpoint.operation))
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

function body(schema: Json): JsonObject {
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
          jsonObject([...Object.entries(valueSchema(each, 'create', scope)), ['description', description(each)]]),
        ]),
      ),
    ],
    ['required', required.length === 0 ? undefined : required],
  ])
}
