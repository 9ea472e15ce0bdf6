import type { Endpoint, Service } from '../../spec/language/index.js'
import { templatePattern } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import { errorBodyOf, isStatusOf } from '../rule/response.js'

/**
 * Tells answers that may be about who asks from those about what was asked for, where the spec lets a service say 404 to who
 * may not: with the code of that error; or with a code of its own, at an endpoint that has not shown anything so far.
 *
 * @param root address of the service, without a slash at its end
 * @returns marks an answer
 */
export function createHiddenForbiddenMarker(service: Service, root: string): (answer: TestResponse) => TestResponse {
  const { insufficient } = service.authentication
  if (insufficient === undefined || !isStatusOf(404, insufficient)) return answer => answer
  const base = new URL(root).pathname.replace(/\/$/, '')
  const endpoints = service.endpoints.filter(mayBeDenied).map(({ method, path }) => {
    return { method, path: templatePattern(path.template) }
  })
  const reached = new Set<object>()
  const others = service.errors.filter(({ name }) => name !== insufficient.name)
  const absent = new Set<string | undefined>(others.filter(({ status }) => status === 404).map(({ code }) => code))
  const isNamed = others.every(({ code }) => code !== insufficient.code)
  return answer => {
    if ((answer.testRequest.credential ?? 'own') !== 'own' || answer.transportError !== undefined) return answer
    if (answer.status >= 400 && answer.status !== 404) return answer
    const { pathname } = new URL(answer.request.url)
    const below = pathname.startsWith(base) ? pathname.slice(base.length) : pathname
    const method = answer.request.method === 'HEAD' ? 'GET' : answer.request.method
    const asked = endpoints.filter(each => each.method === method && each.path.test(below))
    if (answer.status < 400) {
      for (const endpoint of asked) reached.add(endpoint)
      return answer
    }
    const code = errorBodyOf(answer)?.code
    const isSaid = isNamed && code === insufficient.code
    const isNew = asked.length > 0 && !asked.some(endpoint => reached.has(endpoint))
    return isSaid || (isNew && !absent.has(code)) ? { ...answer, mayHideForbidden: true } : answer
  }
}

/** A relation that leads to nothing is 404 for everybody. */
function mayBeDenied({ kind, resolved }: Endpoint): boolean {
  return kind !== 'item' || resolved.at(-1)?.kind === 'key'
}
