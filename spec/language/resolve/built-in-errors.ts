import type { FaultName } from '../document/index.js'
import type { ErrorDefinition } from '../model/service.js'

type BuiltIn = readonly [status: number, message: string, ...legal: readonly (number | '4xx' | '5xx')[]]

const answers: Readonly<Record<FaultName | 'unauthenticated' | 'forbidden', BuiltIn>> = {
  unauthenticated: [401, 'The request has no valid credentials.'],
  forbidden: [403, 'The credentials do not permit this.', 404],
  pathNotFound: [404, 'There is no such path.', '4xx'],
  itemNotFound: [404, 'There is no such item.'],
  methodNotAllowed: [405, 'The path does not have this method.', '4xx', 501],
  notAcceptable: [406, 'No media type of the header Accept can be given.', '4xx'],
  unsupportedMediaType: [415, 'The body must be JSON.', '4xx'],
  malformedQueryOption: [400, 'A query option is malformed.', '4xx'],
  unsupportedQueryOption: [501, 'A query option is not supported here.', '4xx'],
  malformedBody: [400, 'The body is not well-formed JSON.', '4xx'],
  invalidBody: [400, 'The body does not fit the type.', '4xx'],
  malformedKey: [400, 'A key in the path is malformed.', '4xx'],
  invalidParameter: [400, 'A parameter is missing or malformed.', '4xx'],
  malformedEntityTag: [400, 'An entity tag in the request is malformed.', '4xx'],
  preconditionFailed: [412, 'The item is no longer as the request expects it.'],
  preconditionRequired: [428, 'The request needs the header If-Match.'],
  conflict: [409, 'The request conflicts with what is there.', '4xx'],
  expiredToken: [410, 'The link is too old; start again.', '4xx'],
  payloadTooLarge: [413, 'The body is too long.', '4xx'],
  uriTooLong: [414, 'The address is too long.', '4xx'],
  tooManyRequests: [429, 'Too many requests; wait before the next.'],
  notImplemented: [501, 'This is not implemented.'],
  internalError: [500, 'The service failed.', '5xx'],
  serviceUnavailable: [503, 'The service cannot answer now.', '5xx'],
}

/** The language's own answer to a fault that the spec leaves to it. */
export function builtInError(name: keyof typeof answers): ErrorDefinition {
  const [status, message, ...legal] = answers[name]
  return { place: { pointer: '/errors' }, name, status, code: name, message, legal, builtIn: true }
}
