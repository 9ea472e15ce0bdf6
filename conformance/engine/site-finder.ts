import type { Answer } from '../http/answer.js'
import type { Site } from '../site/site.js'

/** Finds the site that an answer came from, by method and path. */
export function siteFinder(sites: readonly Site[], root: string): (answer: Answer) => Site | undefined {
  const base = new URL(root).pathname.replace(/\/$/, '')
  const byPath = new Map(sites.map(site => [`${site.endpoint.method} ${site.path}`, site]))
  return ({ request }) => {
    const { pathname } = new URL(request.url)
    const path = pathname.startsWith(base) ? pathname.slice(base.length) : pathname
    return byPath.get(`${request.method === 'HEAD' ? 'GET' : request.method} ${path}`)
  }
}
