import type { Service } from '../../../spec/language/index.js'
import type { Json, JsonObject } from '../json.js'

/** The path of batches, if the service has one. @see OData JSON Format 4.01, 19 (batch requests and responses) */
export function batchPath({ features }: Service): readonly (readonly [template: string, item: JsonObject])[] {
  return features.batch === 'none' ? [] : [['/$batch', { post: operation }]]
}

const content = (schema: Json): Json => ({ 'application/json': { schema } })

const list = (name: string, item: JsonObject, required: readonly string[]): Json => ({
  type: 'object',
  required: [name],
  properties: { [name]: { type: 'array', items: { type: 'object', required, properties: item } } },
})

const headers: Json = { type: 'object', additionalProperties: { type: 'string' } }

const operation: Json = {
  operationId: 'batch',
  summary: 'Several requests in one',
  requestBody: {
    required: true,
    content: content(
      list(
        'requests',
        {
          id: { type: 'string' },
          method: { enum: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] },
          url: { type: 'string', description: 'Relative to the service.' },
          headers,
          body: {},
          dependsOn: { type: 'array', items: { type: 'string' } },
          atomicityGroup: { type: 'string' },
        },
        ['id', 'method', 'url'],
      ),
    ),
  },
  responses: {
    '200': {
      description: 'The response to each request.',
      content: content(
        list('responses', { id: { type: 'string' }, status: { type: 'integer' }, headers, body: {} }, ['id', 'status']),
      ),
    },
    '4XX': { description: 'The batch is malformed. None of its requests ran.' },
  },
}
