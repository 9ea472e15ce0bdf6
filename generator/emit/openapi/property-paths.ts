import type { Endpoint, Path, Service } from '../../../spec/language/index.js'
import { type Json, type JsonObject, jsonObject } from '../json.js'
import { headerParameters, pathParameters, pathTemplate } from './parameters.js'
import { errorResponses } from './responses.js'

/** The paths to the properties of items: one path for all properties of an item. */
export function propertyPaths(service: Service): readonly (readonly [template: string, item: JsonObject])[] {
  if (service.features.propertyPaths === 'none') return []
  const shapes = new Set(service.paths.map(path => shapeOf(pathTemplate(path))))
  return service.paths.flatMap(path => {
    const template = `${pathTemplate(path)}/{property}`
    const operations = propertyOperations(path, service)
    // OpenAPI allows no two templates that differ only in the names of their variables.
    if (operations.length === 0 || shapes.has(shapeOf(template))) return []
    return [[template, jsonObject(operations)] as const]
  })
}

const shapeOf = (template: string): string => template.replaceAll(/\{[^{}]*\}/g, '{}')

function propertyOperations({ endpoints }: Path, service: Service): readonly (readonly [string, Json])[] {
  const reader = endpoints.find(({ kind }) => kind === 'item')
  const updater = endpoints.find(({ kind }) => kind === 'update')
  if (reader === undefined) return []
  const read = operation('Read', reader, service, { '200': value, '204': { description: 'The value is null.' } })
  if (updater === undefined) return [['get', read]]
  const done = { '204': { description: 'Success.' } }
  const body = { required: true, content: { 'application/json': { schema: { type: 'object' } } } }
  return [
    ['get', read],
    ['put', jsonObject([...Object.entries(operation('Set', updater, service, done)), ['requestBody', body]])],
    ['delete', operation('Clear', updater, service, done)],
  ]
}

const value: Json = {
  description: 'The value in `value`. The members of a complex value are the body itself.',
  content: { 'application/json': { schema: { type: 'object' } } },
}

function operation(verb: string, endpoint: Endpoint, service: Service, responses: JsonObject): JsonObject {
  return jsonObject([
    ['operationId', `${endpoint.name}.${verb.toLowerCase()}Property`],
    ['summary', `${verb} a property of ${endpoint.kind === 'call' ? 'an item' : endpoint.type.name}`],
    ['parameters', [...pathParameters(endpoint), property, ...headerParameters(endpoint, service)]],
    ['responses', { ...responses, ...errorResponses(endpoint, service) }],
  ])
}

const property: JsonObject = {
  name: 'property',
  in: 'path',
  required: true,
  description: 'The name of a property.',
  schema: { type: 'string' },
}
