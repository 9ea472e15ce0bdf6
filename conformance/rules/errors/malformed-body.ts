import type { Endpoint } from '../../../spec/language/index.js'
import { onePerEndpoint } from '../../discover/site.js'
import {
  describeResponse,
  errorFinding,
  inconclusiveVerdict,
  isServerError,
  serverErrorFeatures,
} from '../../rule/response.js'
import type { ActiveRule, PassiveRule } from '../../rule/rule.js'
import { failure, verdictOf } from '../../rule/verdict.js'

const bodies: Readonly<Record<string, { readonly text: string; readonly type: string }>> = {
  malformed: { text: '{"a":', type: 'application/json' },
  'no object': { text: '[1]', type: 'application/json' },
  'another media type': { text: 'hello', type: 'text/plain' },
}

export const malformedBody: ActiveRule = {
  kind: 'active',
  id: 'malformed-body',
  area: 'errors',
  statement: 'A body that is not a JSON object is rejected with an error object.',
  advice:
    'Errors of the JSON parser often surface as a 500, or as an empty object that is taken for parameters. Return 400 for a malformed body and 415 for another media type.',
  aspects: ['error.body'],
  covers: [
    'error.malformedBody',
    'fault.malformedBody',
    'error.unsupportedMediaType',
    'fault.unsupportedMediaType',
    'error.invalidBody',
    'fault.invalidBody',
  ],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 4,
  // Only actions that are declared as queries: they change nothing, whatever the service makes of the body.
  sites: ({ sites }) =>
    onePerEndpoint(sites).filter(({ endpoint }) => {
      if (endpoint.kind !== 'call' || endpoint.method !== 'POST' || endpoint.operation.meaning === undefined)
        return false
      return endpoint.operation.parameters.some(({ optional }) => !optional)
    }),
  cases: () => ({ planned: Object.keys(bodies).map(variant => ({ variant })) }),
  check: async ({ variant = '' }, site, session) => {
    const body = Object.hasOwn(bodies, variant) ? bodies[variant] : undefined
    if (body === undefined) return { kind: 'inconclusive', why: `there is no body called "${variant}"` }
    const headers = { 'content-type': body.type }
    const response = await session.send({ method: 'POST', path: site.path, rawBody: body.text, headers })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const faults = session.service.faults
    const finding = errorFinding(
      response,
      [faults.malformedBody, faults.unsupportedMediaType, faults.invalidBody, faults.invalidParameter],
      session,
    )
    return verdictOf(finding)
  },
}

const readKinds: ReadonlySet<Endpoint['kind']> = new Set(['collection', 'item', 'delta'])

export const wholeBody: PassiveRule = {
  kind: 'passive',
  id: 'whole-body',
  area: 'errors',
  statement: 'A success response carries a complete JSON document.',
  advice:
    'A truncated body, or a body with an error appended, comes from a service that streams rows and fails partway. Compute whatever may fail before you send the headers, or abort the connection so that clients notice. A client takes the body after a 204 for its next response.',
  aspects: ['collection.value'],
  covers: ['body'],
  severity: 'must',
  inspect: (response, site) => {
    const { testRequest: request, status, text, json, headers, transportError } = response
    if (transportError !== undefined || request.method === 'HEAD' || status < 200 || status > 299) return undefined
    if (status === 204 && Number(headers['content-length']) > 0) {
      return {
        message: `A response with status 204 announces a body of ${headers['content-length']} bytes.`,
        expected: 'no Content-Length, because such a response has no body (RFC 9110, 8.6)',
        received: describeResponse(response),
        answers: [response],
        features: ['body', 'no content'],
      }
    }
    if (status === 202 || status === 204 || status === 205) return undefined
    const isRead = request.method === 'GET' && site !== undefined && readKinds.has(site.endpoint.kind)
    const saysJson = /[/+]json\b/i.test(headers['content-type'] ?? '')
    if (!isRead && !(saysJson && text !== '')) return undefined
    if (json !== undefined) return 'seen'
    return {
      message: `A response with status ${status} has ${text === '' ? 'no body' : 'a body that is not a complete JSON document'}.`,
      expected: 'a JSON document',
      received: describeResponse(response),
      answers: [response],
      features: ['body'],
    }
  },
}

/** The service may be in use, so larger bodies are not sent. */
const largest = 5_000_000

export const largeBody: ActiveRule = {
  kind: 'active',
  id: 'large-body',
  area: 'errors',
  statement: 'A body that exceeds the limit is rejected; it does not cause a server error.',
  advice: 'Limit how much of a body you read before you parse it, and return 413.',
  aspects: ['error.body'],
  covers: ['error.payloadTooLarge', 'fault.payloadTooLarge', 'limits'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 1,
  sites: ({ sites, service }) =>
    onePerEndpoint(sites)
      .filter(({ endpoint }) => {
        return endpoint.kind === 'call' && endpoint.method === 'POST' && endpoint.operation.meaning !== undefined
      })
      .slice(0, service.limits.body < largest ? 1 : 0),
  cases: () => ({ planned: [{ variant: 'beyond the limit' }] }),
  check: async (_test, site, session) => {
    const rawBody = `{${' '.repeat(session.service.limits.body)}}`
    const response = await session.send({ method: 'POST', path: site.path, rawBody })
    if (response.transportError === 'unreachable') return { kind: 'pass', vacuous: true }
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    if (!isServerError(response)) return { kind: 'pass' }
    return failure({
      message: `A body of ${rawBody.length} bytes caused a server error.`,
      expected: 'an error with a 4xx status',
      received: describeResponse(response),
      answers: [response],
      features: serverErrorFeatures({ ...response.testRequest, rawBody: '' }),
    })
  },
}
