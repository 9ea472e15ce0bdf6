import type { QueryOptions } from '../../runtime/query/index.js'
import type { Ask } from '../http/ask.js'
import type { Site } from '../site/site.js'
import { conditionHeaders } from './condition-headers.js'
import { constructsOf } from './constructs-of.js'

/** A GET of a site with these options, and with the headers that the spec demands for them. */
export function readAsk(site: Site, options: QueryOptions = {}, headers: Readonly<Record<string, string>> = {}): Ask {
  const demanded = conditionHeaders(site.endpoint, constructsOf(options))
  return { method: 'GET', path: site.path, options, headers: { ...demanded, ...headers } }
}
