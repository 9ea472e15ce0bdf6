import type { Endpoint, Service } from '../../../spec/language/model/index.js'
import { description } from '../json-schema/description.js'
import { type Json, type JsonObject, jsonObject } from '../json-schema/json.js'
import { words } from '../words.js'
import { errorResponses } from './error-responses.js'
import { headerParameters } from './header-parameters.js'
import { pathParameters } from './path-parameters.js'
import { queryParameters } from './query-parameters.js'
import { requestBody } from './request-body.js'
import { successResponses } from './success-responses.js'

/** One method on one path. @see OpenAPI 3.1, 4.8.10 (Operation Object) */
export function operationObject(endpoint: Endpoint, service: Service): JsonObject {
  const parameters = [...pathParameters(endpoint), ...queryParameters(endpoint), ...headerParameters(endpoint)]
  const notes = endpoint.support === 'optional' ? ['An implementation may refuse it with an error.'] : []
  return jsonObject([
    ['operationId', endpoint.name],
    ['tags', [tagOf(endpoint)]],
    ['summary', summary(endpoint)],
    ['description', description(endpoint.kind === 'call' ? { ...endpoint.operation, ...endpoint } : endpoint, notes)],
    ['parameters', parameters.length === 0 ? undefined : parameters],
    ['requestBody', requestBody(endpoint, service)],
    ['responses', { ...successResponses(endpoint), ...errorResponses(endpoint, service) }],
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
      return `Read ${words(endpoint.type.name)}`
    case 'create':
      return `Create ${words(endpoint.type.name)}`
    case 'update':
      return `Change ${words(endpoint.type.name)}`
    case 'replace':
      return `Replace ${words(endpoint.type.name)}`
    case 'delete':
      return `Delete ${words(endpoint.type.name)}`
    case 'call':
      return `Call ${endpoint.operation.name}`
  }
}

/** Any one of the scopes lets a caller in, so that each is an alternative. */
function security(endpoint: Endpoint, { authentication }: Service): Json | undefined {
  if (authentication.scheme === 'none') return undefined
  return endpoint.scopes.length === 0 ? [{ bearer: [] }] : endpoint.scopes.map(scope => ({ bearer: [scope] }))
}
