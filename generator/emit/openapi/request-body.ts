import type { Endpoint, Operation } from '../../../spec/language/model/index.js'
import { description } from '../json-schema/description.js'
import { type Json, type JsonObject, jsonObject } from '../json-schema/json.js'
import { valueSchema } from '../json-schema/value-schema.js'
import { schemasPrefix, shapeReference } from './schema-reference.js'

/** What a request carries, for methods that carry something. */
export function requestBody(endpoint: Endpoint): Json | undefined {
  switch (endpoint.kind) {
    case 'create':
      return body(shapeReference(endpoint.type, 'create'))
    case 'update':
      return body(shapeReference(endpoint.type, 'patch'))
    case 'replace':
      return body(shapeReference(endpoint.type, 'replace'))
    case 'call':
      if (endpoint.operation.kind !== 'action' || endpoint.operation.parameters.length === 0) return undefined
      return body(parametersSchema(endpoint.operation))
    default:
      return undefined
  }
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
