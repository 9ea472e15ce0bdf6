import { type ExtraRoute, jsonContentType, type ServiceTable } from '../../runtime/server/index.js'
import { type MetadataText, metadataRoute } from './metadata.js'

/** The routes of every service in addition to its spec: service document, `$metadata` and `/healthz`. */
export function standardRoutes(
  table: ServiceTable,
  metadata: MetadataText,
  probe: () => Promise<boolean>,
): readonly ExtraRoute[] {
  return [...serviceDocument(table), ...metadataRoute(table, metadata), healthRoute(probe)]
}

/**
 * The service document: the entity sets and singletons with an endpoint of their own.
 *
 * @see OData JSON Format 4.01, 5 (service document)
 */
function serviceDocument(table: ServiceTable): readonly ExtraRoute[] {
  const entries = new Set(
    table.routes.filter(({ kind }) => kind === 'collection' || kind === 'item').map(({ path }) => path.slice(1)),
  )
  const value = Object.entries(table.container)
    .filter(([name]) => entries.has(name))
    .map(([name, { kind }]) => ({ name, kind: kind === 'entitySet' ? 'EntitySet' : 'Singleton', url: name }))
  const handle: ExtraRoute['handle'] = ({ serviceUrl, headers }) => ({
    status: 200,
    headers: { ...headers, 'content-type': jsonContentType() },
    body: JSON.stringify({ '@odata.context': `${serviceUrl}/$metadata`, value }),
  })
  const root = `/${table.version}`
  return [root, `${root}/`].map(path => ({ method: 'GET', path, handle }))
}

/** Milliseconds until a store that does not answer counts as unavailable. */
const patience = 2_000

/**
 * `/healthz`: 200 if the service can answer; 503 if its store is unavailable or the process is stopping. It needs no
 * credential and discloses nothing else.
 *
 * @param probe rejects, or resolves to false, if the service should get no requests
 */
function healthRoute(probe: () => Promise<boolean>): ExtraRoute {
  return {
    method: 'GET',
    path: '/healthz',
    anonymous: true,
    handle: async ({ headers }) => {
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
