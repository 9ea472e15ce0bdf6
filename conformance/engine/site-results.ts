import type { SiteResult } from '../report/report.js'
import type { Discovery } from './discover.js'

/** What was found at each address; an endpoint of which no address was found is listed, too. */
export function siteResults(
  { sites, harvests, unread }: Discovery,
  refusals: (endpoint: string) => readonly string[],
): readonly SiteResult[] {
  const found = sites.map(site => {
    const snapshot = harvests.get(site.id)?.snapshot
    const why = unread.get(site.id)
    return {
      site: site.id,
      method: site.endpoint.method,
      template: site.endpoint.path.template,
      path: site.path,
      ...(snapshot === undefined ? {} : { rows: snapshot.rows.length, complete: snapshot.complete }),
      unsupported: refusals(site.endpoint.name),
      ...(why === undefined ? {} : { why }),
    }
  })
  const names = new Set(sites.map(({ endpoint }) => endpoint.name))
  const absent = [...unread].filter(
    ([name]) => !names.has(name) && !harvests.has(name) && !found.some(({ site }) => site === name),
  )
  return [
    ...found,
    ...absent.map(([name, why]) => ({ site: name, method: '', template: '', path: '', unsupported: [], why })),
  ]
}
