import type { Endpoint, Service } from '../../../spec/language/index.js'
import { createEndpointFinder, onePerEndpoint } from '../../discover/site.js'
import type { TestRequest } from '../../http/message.js'
import { describeResponse, errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule, PassiveRule } from '../../rule/rule.js'
import { verdictOf } from '../../rule/verdict.js'

export const methodNotAllowed: ActiveRule = {
  kind: 'active',
  id: 'method-not-allowed',
  area: 'errors',
  statement: 'A method that a path does not support is rejected with an error object.',
  advice:
    'Actions are called with POST. They must never run on GET, because caches and crawlers send GET freely. Return 405 with an Allow header that lists the methods of the path.',
  aspects: ['methods', 'error.body'],
  covers: ['error.methodNotAllowed', 'fault.methodNotAllowed'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 3,
  sites: ({ sites }) =>
    // Only actions that are declared as queries: they do no harm if the service executes them anyway.
    onePerEndpoint(sites).filter(({ endpoint }) => {
      if (endpoint.kind !== 'call' || endpoint.method !== 'POST') return false
      return endpoint.operation.meaning !== undefined && endpoint.path.endpoints.length === 1
    }),
  cases: () => ({ planned: [{ variant: 'GET' }] }),
  check: async (_test, site, session) => {
    const response = await session.send({ method: 'GET', path: site.path })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const finding = errorFinding(response, session.service.faults.methodNotAllowed, session)
    return verdictOf(finding)
  },
}

export const allowHeader: PassiveRule = {
  kind: 'passive',
  id: 'allow-header',
  area: 'errors',
  statement:
    'The Allow header of a 405 response does not list the rejected method, and lists those that the interface demands.',
  advice: 'Set the header where you create the 405, from the methods of the route. See RFC 9110, section 15.5.6.',
  aspects: ['methods'],
  covers: ['fault.methodNotAllowed'],
  severity: 'should',
  inspect: (response, _site, { service }) => {
    const { transportError, status, headers, request, testRequest } = response
    // Proxies in front of a service answer HEAD and OPTIONS themselves.
    if (transportError !== undefined || status !== 405 || request.method === 'HEAD' || request.method === 'OPTIONS') {
      return undefined
    }
    const { allow } = headers
    const names = allow?.split(',').map(method => method.trim().toUpperCase()) ?? []
    if (!names.includes(request.method)) {
      // An empty header says that the path is disabled (RFC 9110, 10.2.1).
      const demanded = (allow ?? '').trim() === '' ? [] : demandedMethods(testRequest, service)
      // A rejected method that the interface demands is what `method-supported` is about.
      const missing = demanded.filter(method => method !== request.method && !names.includes(method))
      if (missing.length === 0) return 'seen'
      return {
        message: `The Allow header of a 405 response does not list ${missing.join(', ')}.`,
        expected: `Allow with each method that the interface demands of the path: ${demanded.join(', ')}`,
        received: `Allow: ${allow}`,
        answers: [response],
        features: ['header.Allow', 'missing'],
      }
    }
    return {
      message: `The Allow header of a 405 response lists ${request.method}, the rejected method.`,
      expected: `Allow without ${request.method}`,
      received: `Allow: ${allow}`,
      answers: [response],
      features: ['header.Allow'],
    }
  },
}

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

/** The methods that the interface demands of the path of a request. */
function demandedMethods({ path, credential = 'own' }: TestRequest, service: Service): readonly string[] {
  if (credential !== 'own' || path.includes('?')) return []
  const matching = methods.flatMap(method => endpointFinder(service)(method, path) ?? [])
  // `/users/delta` is no item of `/users/{id}`.
  const [first] = matching.toSorted((a, b) => a.keys.length - b.keys.length)
  return matching
    .filter(endpoint => endpoint.path.template === first?.path.template && endpoint.support === 'required')
    .map(({ method }) => method)
}

/** @see RFC 9110, 15.5.6 */
export const methodSupported: PassiveRule = {
  kind: 'passive',
  id: 'method-supported',
  area: 'errors',
  statement: 'A path supports each method that the interface demands of it.',
  advice: 'Look at the routes of the path: the method may be missing, or may be registered for another path.',
  aspects: ['methods'],
  covers: ['fault.methodNotAllowed'],
  severity: 'must',
  inspect: (response, _site, session) => {
    const { status, testRequest } = response
    const { method, path, credential = 'own', options, rawQuery } = testRequest
    if (credential !== 'own' || method === 'HEAD' || path.includes('?')) return undefined
    // A service may refuse a query option with this status, too.
    const hasOptions = rawQuery !== undefined || Object.keys(options ?? {}).length > 0
    if (hasOptions && status === 405) return undefined
    if (endpointFinder(session.service)(method, path)?.support !== 'required') return undefined
    if (status !== 405) return 'seen'
    return {
      message: `${method} got status 405, but the interface demands this method.`,
      expected: `a response to ${method}`,
      received: describeResponse(response),
      answers: [response],
      features: ['method', method],
    }
  },
}

const finders = new WeakMap<Service, (method: string, path: string) => Endpoint | undefined>()

function endpointFinder(service: Service): (method: string, path: string) => Endpoint | undefined {
  const finder = finders.get(service) ?? createEndpointFinder(service)
  finders.set(service, finder)
  return finder
}
