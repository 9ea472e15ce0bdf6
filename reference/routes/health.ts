import type { ExtraRoute } from '../../runtime/server/index.js'

/** Milliseconds after which a store counts as one that does not answer. */
const patience = 2_000

/**
 * `/healthz`: 200 while the service can answer, 503 while its store cannot or the process is about to end. Needs no
 * credential and tells nothing else.
 *
 * @param probe rejects, or resolves to false, when the service should get no requests
 */
export function healthRoute(probe: () => Promise<boolean>): ExtraRoute {
  return {
    method: 'GET',
    path: '/healthz',
    anonymous: true,
    answer: async ({ headers }) => {
      const healthy = await inTime(probe().catch(() => false))
      return {
        status: healthy ? 200 : 503,
        headers: { ...headers, 'content-type': 'application/json;charset=utf-8', 'cache-control': 'no-store' },
        body: JSON.stringify({ status: healthy ? 'ok' : 'unavailable' }),
      }
    },
  }
}

function inTime(healthy: Promise<boolean>): Promise<boolean> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(false), patience)
    void healthy.then(result => {
      clearTimeout(timer)
      resolve(result)
    })
  })
}
