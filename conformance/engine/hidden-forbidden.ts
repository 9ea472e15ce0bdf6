import type { Endpoint, Service } from '../../spec/language/index.js'
import { templatePattern } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import { errorBodyOf, isStatusOf } from '../rule/response.js'

/**
 * Marks 404 responses that may stand for 403, if the spec allows that: those with the code of that error, and those
 * with an unknown code at an endpoint that has not returned anything yet.
 *
 * @param root address of the service, without a trailing slash
 * @returns a function that marks a response
 */
export function createHiddenForbiddenMarker(service: Service, root: string): (response: TestResponse) => TestResponse {
  const { insufficient } = service.authentication
  if (insufficient === undefined || !isStatusOf(404, insufficient)) return response => response
  const base = new URL(root).pathname.replace(/\/$/, '')
  const endpoints = service.endpoints.filter(mayBeDenied).map(({ method, path }) => {
    return { method, path: templatePattern(path.template) }
  })
  const reached = new Set<object>()
  const others = service.errors.filter(({ name }) => name !== insufficient.name)
  const absent = new Set<string | undefined>(others.filter(({ status }) => status === 404).map(({ code }) => code))
  const isNamed = others.every(({ code }) => code !== insufficient.code)
  return response => {
    if ((response.testRequest.credential ?? 'own') !== 'own' || response.transportError !== undefined) return response
    if (response.status >= 400 && response.status !== 404) return response
    const { pathname } = new URL(response.request.url)
    const below = pathname.startsWith(base) ? pathname.slice(base.length) : pathname
    const method = response.request.method === 'HEAD' ? 'GET' : response.request.method
    const asked = endpoints.filter(each => each.method === method && each.path.test(below))
    if (response.status < 400) {
      for (const endpoint of asked) reached.add(endpoint)
      return response
    }
    const code = errorBodyOf(response)?.code
    const isSaid = isNamed && code === insufficient.code
    const isNew = asked.length > 0 && !asked.some(endpoint => reached.has(endpoint))
    return isSaid || (isNew && !absent.has(code)) ? { ...response, mayHideForbidden: true } : response
  }
}

/** A navigation property without a value is 404 for every caller. */
function mayBeDenied({ kind, resolved }: Endpoint): boolean {
  return kind !== 'item' || resolved.at(-1)?.kind === 'key'
}
