import type { Exchange } from '../exchange.js'

/** The query of the next link: that of the request, with the token instead of an earlier one. */
export function linkQuery(name: 'skiptoken' | 'deltatoken', position: string, at: Exchange): string {
  const parts = at.request.query.split('&').filter(part => part !== '' && !/^(\$|%24)(skip|delta)token=/i.test(part))
  return [...parts, `$${name}=${encodeURIComponent(position)}`].join('&')
}

/** A link with a query, in the form that the service has chosen. */
export function linkTo(query: string, at: Exchange): string {
  const { root, path } = at.request
  const isRelative = at.behaviour.choices['nextLinkForm'] === 'relative'
  return `${isRelative ? new URL(root).pathname : root}${path}?${query}`
}
