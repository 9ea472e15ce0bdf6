import type { Endpoint, EntityType, Service } from '../../spec/language/index.js'
import type { Answer } from '../http/answer.js'
import { templatePattern } from './template-pattern.js'

/** What a request may have changed. */
export type Written =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'items'; readonly type: EntityType }
  /** As after an action, or at an address that the spec does not know. */
  | { readonly kind: 'anything' }

/**
 * Tells what a request may have changed: nothing, when it was refused or only asks.
 *
 * @param root address of the service, without a slash at its end
 */
export function written({ endpoints }: Service, root: string): (answer: Answer) => Written {
  const base = new URL(root).pathname.replace(/\/$/, '')
  const known = endpoints.flatMap(endpoint => {
    const what = writtenAt(endpoint)
    return what === undefined ? [] : [{ method: endpoint.method, path: templatePattern(endpoint.path.template), what }]
  })
  return ({ request: { method, url }, status }) => {
    if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return { kind: 'nothing' }
    if (status >= 400 && status < 500) return { kind: 'nothing' }
    const { pathname } = new URL(url)
    if (!pathname.startsWith(base)) return { kind: 'anything' }
    const below = pathname.slice(base.length)
    const [first, ...others] = known.filter(each => each.method === method && each.path.test(below))
    return first === undefined || others.length > 0 ? { kind: 'anything' } : first.what
  }
}

function writtenAt(endpoint: Endpoint): Written | undefined {
  switch (endpoint.kind) {
    case 'create':
    case 'update':
    case 'replace':
    case 'delete':
      return { kind: 'items', type: endpoint.type }
    case 'call':
      return endpoint.operation.meaning === undefined ? { kind: 'anything' } : { kind: 'nothing' }
    default:
      return undefined
  }
}
