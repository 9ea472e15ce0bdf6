import type { Answer } from '../http/answer.js'
import { isRow } from '../is-row.js'
import type { Session } from '../session/session.js'
import type { Site } from '../site/site.js'
import { siteOf } from '../site/site-of.js'

/**
 * The address, below the root, of what a create made: from the key in its answer, or else from `Location`. Absent when
 * neither tells it, or nothing was made.
 */
export function itemPath(
  answer: Answer,
  site: Site,
  { service }: Pick<Session, 'service'>,
  root: string,
): string | undefined {
  if (answer.status < 200 || answer.status > 299) return undefined
  const prefix = site.endpoint.resolved
  if (isRow(answer.json)) {
    for (const kind of ['delete', 'item', 'update'] as const) {
      const endpoint = service.endpoints.find(
        each => each.kind === kind && each.resolved.length === prefix.length + 1 && leadsFrom(each.path.template, site),
      )
      const found = endpoint === undefined ? undefined : siteOf(endpoint, { site, row: answer.json })
      if (found !== undefined) return found.path
    }
  }
  const { location } = answer.headers
  if (location === undefined || !URL.canParse(location, `${root}/`)) return undefined
  const { href } = new URL(location, `${root}/`)
  return href.startsWith(`${root}/`) ? href.slice(root.length) : undefined
}

/** Whether a template is that of a site's collection, and a key. */
function leadsFrom(template: string, site: Site): boolean {
  const { template: collection } = site.endpoint.path
  return template.startsWith(collection) && /^(?:\/\{[^/}]+\}|\([^/]*\))$/.test(template.slice(collection.length))
}
