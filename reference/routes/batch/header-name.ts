const written = new Map(
  ['ETag', 'OData-EntityId', 'OData-Version', 'WWW-Authenticate', 'client-request-id', 'request-id'].map(name => [
    name.toLowerCase(),
    name,
  ]),
)

/**
 * A header's name as specifications write it. Inside a batch it is a member of a JSON object, and there are clients that
 * look for `Content-Type` in no other spelling.
 */
export function headerName(name: string): string {
  return written.get(name) ?? name.replaceAll(/(^|-)([a-z])/g, (_, before, letter) => before + letter.toUpperCase())
}
