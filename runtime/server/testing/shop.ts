import { createService, type Service, type ServiceParts } from '../create-service.js'
import { type AnyCall, handlersByName, type Principal } from '../handler.js'
import type { ServiceOptions } from '../service-options.js'
import type { ServiceTable } from '../service-table.js'
import { shopTable } from './shop-table.js'

const origin = 'http://shop.example'

/** The caller in the tests, who has all scopes. */
const clerk: Principal = { id: 'clerk', scopes: ['write'] }

/** Creates the shop with some handlers. Every credential identifies the clerk. */
export function shop(
  handlers: object,
  options: Partial<ServiceOptions<unknown>> = {},
  table: ServiceTable = shopTable,
  parts: ServiceParts = {},
): Service {
  const authenticate: ServiceOptions<unknown>['authenticate'] = request =>
    request.headers.get('authorization') === null ? undefined : clerk
  return createService(table, handlersByName(handlers), { authenticate, ...options }, parts)
}

export const dune = { isbn: '1', title: 'Dune', pages: 412, genre: 'science', tags: ['a'], '@odata.etag': 'W/"1"' }
export const emma = { isbn: '2', title: 'Emma' }

export const shopHandlers = {
  books: {
    list: () => ({ value: [dune, emma], count: 7, skipToken: 'a b&c' }),
    create: (call: AnyCall) => call.body,
    get: ({ keys }: AnyCall) => (keys['isbn'] === '1' ? dune : null),
    update: (call: AnyCall) => (call.precondition.holds('W/"1"') ? dune : call.fail('stale')),
    replace: () => dune,
    delete: () => undefined,
    count: () => 7,
    delta: ({ query }: AnyCall) =>
      query.deltatoken === undefined
        ? { value: [emma], deltaToken: 'd1' }
        : {
            value: [
              { isbn: '9', title: 'x', '@removed': { reason: 'deleted' } },
              { isbn: '1', pages: null },
            ],
            skipToken: 's',
          },
    author: { get: () => null },
    reviews: { list: () => ({ value: [] }) },
  },
  copies: { get: ({ keys }: AnyCall) => ({ ...keys, other: 1 }), create: ({ body }: AnyCall) => body },
  me: {
    get: ({ principal }: AnyCall) => ({ id: principal.id }),
    recommend: ({ parameters }: AnyCall) => [{ isbn: JSON.stringify(parameters), title: '' }],
    follow: ({ parameters }: AnyCall) => parameters['ids'],
    reset: () => undefined,
  },
}
/** Creates a request to the shop, with a credential. `body` is sent as JSON unless it is a string. */
export function shopRequest(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Request {
  return new Request(`${origin}/v1${path}`, {
    method,
    headers: {
      authorization: 'Bearer t',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

/** Sends a request to a service and reads the response as JSON or text. */
export async function responseTo(
  service: Service,
  request: Request,
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: unknown }> {
  const response = await service(request)
  const text = await response.text()
  const json = response.headers.get('content-type')?.startsWith('application/json') === true && text !== ''
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text }
}
