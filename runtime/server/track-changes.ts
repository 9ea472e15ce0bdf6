import { Failure, RequestFault } from './errors.js'
import type { CompiledRoute } from './exchange.js'
import type { ServerResponse } from './http/message.js'
import { parsePrefer } from './http/preferences.js'
import type { Router } from './routing/router.js'
import { type RoutedRequest, requireScopes, type ServeRoute } from './serve-route.js'
import type { ServiceTable } from './service-table.js'

/** A request for a list whose caller wants a delta link: a request for the changes, which starts with all items. */
interface TrackedRequest {
  readonly routed: RoutedRequest
  /** The preference as the caller spells it, for `Preference-Applied`. Undefined: the request has a delta token. */
  readonly preference: string | undefined
}

/**
 * The request for the path `delta` of a list that stands for a request with `Prefer: odata.track-changes`. Undefined: the list
 * is answered as usual, because the caller does not ask for changes, or the changes have no such options or scopes. A
 * preference never causes an error.
 *
 * @see OData Protocol 4.01, 8.2.8.6 (track-changes) and 11.3 (requesting changes)
 */
export function trackedChanges(
  routed: RoutedRequest,
  segments: readonly string[],
  router: Router<CompiledRoute>,
  table: ServiceTable,
): TrackedRequest | undefined {
  if (routed.compiled.route.kind !== 'collection') return undefined
  const preference = parsePrefer(routed.request.head.headers.get('prefer')).get('track-changes')
  if (preference === undefined && !deltaToken.test(routed.query)) return undefined
  const match = router.match([...segments, 'delta'])
  const compiled = match?.resource.targets.get('GET')
  if (match === undefined || compiled?.route.kind !== 'delta' || compiled.handler === undefined) return undefined
  try {
    const { options } = compiled.plan(routed.query)
    // The next page of a list that began without the preference.
    if (options.skiptoken !== undefined) return undefined
    requireScopes(routed.principal, compiled.route.scopes, table)
  } catch (error) {
    if (error instanceof RequestFault || error instanceof Failure) return undefined
    throw error
  }
  return { routed: { ...routed, path: `${routed.path}/delta`, compiled, match }, preference: preference?.name }
}

/** Callers that put the token of a delta link behind the URL of the list get the changes, too. */
const deltaToken = /(?:^|&)(?:\$|%24)?deltatoken=/i

/** Answers with the first page of the changes. */
export async function answerTracked(
  { routed, preference }: TrackedRequest,
  serveRoute: ServeRoute,
): Promise<ServerResponse> {
  const response = await serveRoute(routed)
  if (preference === undefined) return response
  const { 'preference-applied': others, ...headers } = response.headers
  const applied = others === undefined ? preference : `${preference}, ${others}`
  return { ...response, headers: { ...headers, 'preference-applied': applied } }
}
