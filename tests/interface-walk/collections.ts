import type { QueryCapabilities, ReadEndpoint, Service } from '../../spec/language/model/index.js'

/** The endpoints that read a collection, each with what it allows of the query language. */
export function collections(
  service: Service,
): readonly { readonly endpoint: ReadEndpoint; readonly query: QueryCapabilities }[] {
  return service.endpoints.flatMap(endpoint =>
    endpoint.kind === 'collection' && endpoint.query ? [{ endpoint, query: endpoint.query }] : [],
  )
}
