import type { Endpoint, ErrorDefinition, Service } from '../../../spec/language/model/index.js'
import { handlerErrors } from '../../../spec/language/table/handler-errors.js'
import { type Json, type JsonObject, jsonObject } from '../json-schema/json.js'
import { errorSchemaName, schemaReference } from './schema-reference.js'

/** The errors that an endpoint declares, by status; each code is an example. Any other error has the same body. */
export function errorResponses(endpoint: Endpoint, service: Service): JsonObject {
  const byStatus = new Map<number, ErrorDefinition[]>()
  for (const error of declaredErrors(endpoint, service)) {
    byStatus.set(error.status, [...(byStatus.get(error.status) ?? []), error])
  }
  const statuses = [...byStatus].sort(([left], [right]) => left - right)
  return jsonObject([
    ...statuses.map(([status, errors]) => [String(status), response(errors)] as const),
    ['default', { description: 'Any other error.', content: { 'application/json': { schema: errorSchema } } }],
  ])
}

const errorSchema = schemaReference(errorSchemaName)

function declaredErrors(endpoint: Endpoint, service: Service): ReadonlySet<ErrorDefinition> {
  const { authentication, faults } = service
  const query = 'query' in endpoint ? endpoint.query : undefined
  const carriesBody = endpoint.method === 'POST' || endpoint.method === 'PATCH' || endpoint.method === 'PUT'
  const isConditional = 'ifMatch' in endpoint && endpoint.ifMatch === 'required'
  const errors = [
    authentication.missing,
    endpoint.scopes.length === 0 ? undefined : authentication.insufficient,
    ...handlerErrors(endpoint, faults),
    ...(query === undefined ? [] : [faults.malformedQueryOption, faults.unsupportedQueryOption]),
    ...(query?.requires.map(condition => condition.otherwise) ?? []),
    ...(carriesBody ? [faults.malformedBody, faults.unsupportedMediaType] : []),
    isConditional ? faults.preconditionRequired : undefined,
  ]
  return new Set(errors.filter(error => error !== undefined))
}

function response(errors: readonly ErrorDefinition[]): Json {
  const examples = errors.map(
    ({ name, code, message }) => [name, { value: { error: { code, message } } } satisfies Json] as const,
  )
  return {
    description: errors.map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n'),
    content: { 'application/json': { schema: errorSchema, examples: jsonObject(examples) } },
  }
}
