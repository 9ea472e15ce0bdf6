import type { Json } from '../../../json.js'
import type { Refusal } from '../behaviour.js'
import type { Exchange } from '../exchange.js'
import { isObject, type JsonObject } from '../reply/project.js'

/** The body of a request as an object, or why it is none. An empty body is an empty object where nothing is needed. */
export function requestJson(at: Exchange): { readonly kind: 'object'; readonly json: JsonObject } | Refusal {
  const { service, request } = at
  if (request.body.trim() === '' && at.endpoint.kind === 'call') return { kind: 'object', json: {} }
  const type = at.behaviour.header('Content-Type', at) ?? ''
  if (!/^application\/(.+\+)?json\b/i.test(type)) return { kind: 'refused', error: service.faults.unsupportedMediaType }
  try {
    const json: Json = JSON.parse(request.body)
    if (isObject(json)) return { kind: 'object', json }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return { kind: 'refused', error: service.faults.malformedBody }
}
