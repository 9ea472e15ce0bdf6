import type { Service } from '../../../spec/language/index.js'
import type { Json, JsonObject } from '../emit-context.js'

const isOffered = ({ features }: Service): boolean => features.respondAsync !== 'none'

/** The path of the status monitors, if the service has them. @see OData Protocol 4.01, 11.6 (asynchronous requests) */
export function statusMonitorPath(service: Service): readonly (readonly [template: string, item: JsonObject])[] {
  if (!isOffered(service)) return []
  const parameters: Json = [{ name: 'monitor', in: 'path', required: true, schema: { type: 'string' } }]
  const get = operation('readStatusMonitor', 'Read the response of a request with `Prefer: respond-async`', {
    '200': { description: 'The response of the request, with its status in the header AsyncResult.' },
    '202': { $ref: acceptedReference },
  })
  const cancel = operation('cancelRequest', 'Cancel a request with `Prefer: respond-async`', {
    '204': { description: 'The request is cancelled, and its result is removed.' },
  })
  return [['/$async/{monitor}', { parameters, get, delete: cancel }]]
}

function operation(operationId: string, summary: string, responses: JsonObject): Json {
  const failures = { '404': { description: 'There is no such request.' }, default: { description: 'An error.' } }
  return { operationId, summary, responses: { ...responses, ...failures } }
}

const acceptedReference = '#/components/responses/accepted'

/** The shared response with the URL of a status monitor. Undefined: the service has none. */
export function acceptedComponents(service: Service): JsonObject | undefined {
  if (!isOffered(service)) return undefined
  const headers: Json = {
    Location: { description: 'The URL of the status monitor.', schema: { type: 'string' } },
    'Retry-After': { description: 'When to ask it, in seconds.', schema: { type: 'string' } },
  }
  return { accepted: { description: 'The request runs. The caller sent `Prefer: respond-async`.', headers } }
}
