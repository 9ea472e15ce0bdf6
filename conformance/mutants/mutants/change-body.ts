import type { Json } from '../../json.js'
import type { Behaviour } from '../service/behaviour.js'
import type { Arrival } from '../service/exchange.js'
import { isObject, type JsonObject } from '../service/reply/project.js'
import type { Reply } from '../service/reply/reply.js'

/** Changes the body of answers that are an object. */
export function changeBody(change: (body: JsonObject, at: Arrival, reply: Reply) => Json): Pick<Behaviour, 'reply'> {
  return {
    reply: (reply, at) => (isObject(reply.json) ? { ...reply, json: change(reply.json, at, reply) } : reply),
  }
}

/** Changes the body of lists. */
export function changeList(change: (body: JsonObject, at: Arrival) => Json): Pick<Behaviour, 'reply'> {
  return changeBody((body, at) =>
    Array.isArray(body['value']) && at.endpoint?.kind === 'collection' ? change(body, at) : body,
  )
}

/** Changes the next link of lists. */
export function changeLink(change: (link: string, at: Arrival) => string | null | undefined): Pick<Behaviour, 'reply'> {
  return changeList((body, at) => {
    const { '@odata.nextLink': link, ...others } = body
    if (typeof link !== 'string') return body
    const changed = change(link, at)
    return changed === undefined ? others : { ...others, '@odata.nextLink': changed }
  })
}
