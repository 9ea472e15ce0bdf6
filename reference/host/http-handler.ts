import {
  fromWebRequest,
  type ServerRequest,
  type ServerResponse,
  type Service,
  toWebResponse,
} from '../../runtime/server/index.js'

/** Answers requests and never throws. Hosting features such as CORS and logging wrap one handler in another. */
export type HttpHandler = (incoming: ServerRequest) => Promise<ServerResponse>

/** A handler as a service. */
export function toService(handle: HttpHandler): Service {
  const respond = async (request: Request): Promise<Response> =>
    toWebResponse(await handle(fromWebRequest(request)), request.method)
  return Object.assign(respond, { handle })
}
