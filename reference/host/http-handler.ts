import {
  fromWebRequest,
  type ServerRequest,
  type ServerResponse,
  type Service,
  toWebResponse,
} from '../../runtime/server/index.js'

/** What answers requests, and never throws: a service, or one with something around it. */
export type HttpHandler = (incoming: ServerRequest) => Promise<ServerResponse>

/** A service that answers so. */
export function toService(handle: HttpHandler): Service {
  const respond = async (request: Request): Promise<Response> =>
    toWebResponse(await handle(fromWebRequest(request)), request.method)
  return Object.assign(respond, { handle })
}
