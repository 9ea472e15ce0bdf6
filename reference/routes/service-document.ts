import type { ExtraRoute, ServiceTable } from '../../runtime/server/index.js'
import { jsonContentType } from '../../runtime/server/response/json-content-type.js'

/**
 * The service document: the entity sets and singletons that callers can begin with.
 *
 * @see OData JSON Format 4.01, 5 (service document)
 */
export function serviceDocument(table: ServiceTable): readonly ExtraRoute[] {
  const entries = new Set(
    table.routes.filter(({ kind }) => kind === 'collection' || kind === 'item').map(({ path }) => path.slice(1)),
  )
  const value = Object.entries(table.container)
    .filter(([name]) => entries.has(name))
    .map(([name, { kind }]) => ({ name, kind: kind === 'entitySet' ? 'EntitySet' : 'Singleton', url: name }))
  const answer: ExtraRoute['answer'] = ({ serviceUrl, headers }) => ({
    status: 200,
    headers: { ...headers, 'content-type': jsonContentType('minimal') },
    body: JSON.stringify({ '@odata.context': `${serviceUrl}/$metadata`, value }),
  })
  const root = `/${table.version}`
  return [root, `${root}/`].map(path => ({ method: 'GET', path, answer }))
}
