import type { Service } from '../../runtime/server/index.js'
import { incomingOf } from '../../runtime/server/web/incoming-of.js'
import { responseOf } from '../../runtime/server/web/response-of.js'
import type { Answering } from './answering.js'

/** A service that answers so. */
export function serviceOf(answer: Answering): Service {
  const respond = async (request: Request): Promise<Response> =>
    responseOf(await answer(incomingOf(request)), request.method)
  return Object.assign(respond, { answer })
}
