import { createService, type Service } from '../create-service.js'
import { handlersByName, type Principal } from '../handler.js'
import type { ServiceOptions } from '../service-options.js'
import type { ServiceTable } from '../service-table.js'
import { shopTable } from './shop-table.js'

const origin = 'http://shop.example'

/** The caller in the tests, who has all scopes. */
export const clerk: Principal = { id: 'clerk', scopes: ['write'] }

/** Creates the shop with some handlers. Every credential identifies the clerk. */
export function shop(
  handlers: object,
  options: Partial<ServiceOptions<unknown>> = {},
  table: ServiceTable = shopTable,
): Service {
  return createService(table, handlersByName(handlers), {
    authenticate: request => (request.headers.get('authorization') === null ? undefined : clerk),
    ...options,
  })
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
