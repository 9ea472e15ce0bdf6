/**
 * An OpenAPI document with the address of the running service in place of its own servers.
 *
 * @param text the document as JSON
 * @see OpenAPI 3.1, 4.8.5 (Server Object)
 */
export function openapiDocument(text: string): (serviceUrl: string) => string {
  const document: Readonly<Record<string, unknown>> = JSON.parse(text)
  const { openapi, servers: _, ...rest } = document
  // Large documents are written once; the servers, which depend on the request, stand in front.
  const members = JSON.stringify(rest).slice(1)
  return serviceUrl => `${JSON.stringify({ openapi, servers: [{ url: serviceUrl }] }).slice(0, -1)},${members}`
}
