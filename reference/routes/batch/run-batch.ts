import type { Incoming, Outgoing, RequestHead } from '../../../runtime/server/index.js'
import { jsonContentType } from '../../../runtime/server/response/json-content-type.js'
import type { BatchRequest } from './batch-request.js'

/** Headers of the batch that hold for each of its requests unless it has its own. */
const inherited = ['authorization', 'odata-maxversion', 'accept-language']

/**
 * Runs the requests of a batch, each as soon as those that it depends on have succeeded. The answers come in the order of
 * the requests.
 */
export async function runBatch(
  requests: readonly BatchRequest[],
  batch: Incoming,
  dispatch: (incoming: Incoming) => Promise<Outgoing>,
): Promise<readonly Outgoing[]> {
  const running = new Map<string, Promise<Outgoing>>()
  const run = async (request: BatchRequest): Promise<Outgoing> => {
    for (const id of request.dependsOn) {
      const before = await running.get(id.toLowerCase())
      if (before !== undefined && before.status >= 400) return failedDependency(id)
    }
    return dispatch(incomingOf(request, batch))
  }
  for (const request of requests) running.set(request.id.toLowerCase(), run(request))
  return Promise.all(running.values())
}

/** @see RFC 4918, 11.4 (424 Failed Dependency) */
function failedDependency(id: string): Outgoing {
  const message = `The request was not sent, since it depends on ${JSON.stringify(id)}, which failed.`
  return {
    status: 424,
    headers: { 'content-type': jsonContentType('minimal') },
    body: JSON.stringify({ error: { code: 'FailedDependency', message } }),
  }
}

function incomingOf({ method, target, headers, body }: BatchRequest, batch: Incoming): Incoming {
  const head: RequestHead = {
    method,
    url: batch.origin + target,
    headers: {
      get: name => {
        const key = name.toLowerCase()
        return headers.get(key) ?? (inherited.includes(key) ? batch.head.headers.get(key) : null)
      },
    },
    get signal() {
      return batch.head.signal
    },
  }
  const bytes = body ?? new Uint8Array(0)
  return {
    head,
    origin: batch.origin,
    target,
    readBody: limit => Promise.resolve(bytes.byteLength > limit ? 'tooLarge' : bytes),
  }
}
