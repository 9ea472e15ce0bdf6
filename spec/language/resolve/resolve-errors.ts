import type { FaultName } from '../document.js'
import type { Authentication, ErrorDefinition } from '../model/service.js'
import { pointerTo } from '../source/json-pointer.js'
import { type Resolution, resolveReference } from './resolution.js'

/** The errors that a spec declares, and which of them answers what. */
export interface Errors {
  /** What the spec declares. */
  readonly known: ReadonlyMap<string, ErrorDefinition>
  /** In order of the spec, then the built-in ones that are used. */
  readonly all: readonly ErrorDefinition[]
  readonly faults: Readonly<Record<FaultName, ErrorDefinition>>
  readonly authentication: Authentication
}

/** Resolves the chapters `errors`, `faults` and `authentication`. */
export function resolveErrors(resolution: Resolution): Errors {
  const { document } = resolution
  const known = new Map<string, ErrorDefinition>()
  for (const [name, error] of Object.entries(document.errors)) {
    const { status, code, message, legal = [] } = error
    const annotations = resolution.annotations(error, pointerTo('/errors', name))
    known.set(name, { ...annotations, name, status, code, message, legal, builtIn: false })
  }
  const builtIn = new Map<string, ErrorDefinition>()
  const errorFor = (
    name: Parameters<typeof builtInError>[0],
    declared: string | undefined,
    at: string,
  ): ErrorDefinition => {
    const found =
      declared === undefined
        ? known.get(name)
        : resolveReference(resolution, { kind: 'error', name: declared, at, chapter: '/errors', known })
    if (found) return found
    const own = builtInError(name)
    builtIn.set(name, own)
    return own
  }
  const fault = (name: FaultName): ErrorDefinition => errorFor(name, document.faults?.[name], `/faults/${name}`)
  const faults: Record<FaultName, ErrorDefinition> = {
    pathNotFound: fault('pathNotFound'),
    itemNotFound: fault('itemNotFound'),
    methodNotAllowed: fault('methodNotAllowed'),
    notAcceptable: fault('notAcceptable'),
    unsupportedMediaType: fault('unsupportedMediaType'),
    malformedQueryOption: fault('malformedQueryOption'),
    unsupportedQueryOption: fault('unsupportedQueryOption'),
    malformedBody: fault('malformedBody'),
    invalidBody: fault('invalidBody'),
    malformedKey: fault('malformedKey'),
    invalidParameter: fault('invalidParameter'),
    malformedEntityTag: fault('malformedEntityTag'),
    preconditionFailed: fault('preconditionFailed'),
    preconditionRequired: fault('preconditionRequired'),
    conflict: fault('conflict'),
    expiredToken: fault('expiredToken'),
    payloadTooLarge: fault('payloadTooLarge'),
    uriTooLong: fault('uriTooLong'),
    tooManyRequests: fault('tooManyRequests'),
    notImplemented: fault('notImplemented'),
    internalError: fault('internalError'),
    serviceUnavailable: fault('serviceUnavailable'),
  }
  const authentication = resolveAuthentication(resolution, errorFor)
  return { known, all: [...known.values(), ...builtIn.values()], faults, authentication }
}

function resolveAuthentication(
  resolution: Resolution,
  errorFor: (name: 'unauthenticated' | 'forbidden', declared: string | undefined, at: string) => ErrorDefinition,
): Authentication {
  const document = resolution.document.authentication ?? { scheme: 'none' }
  const annotations = resolution.annotations(document, '/authentication')
  const scopes = Object.entries(document.scopes ?? {}).map(([name, description]) => ({ name, description }))
  if (document.scheme === 'none') return { ...annotations, scheme: 'none', scopes }
  return {
    ...annotations,
    scheme: document.scheme,
    missing: errorFor('unauthenticated', document.missing, '/authentication/missing'),
    insufficient: errorFor('forbidden', document.insufficient, '/authentication/insufficient'),
    scopes,
  }
}

type BuiltIn = readonly [status: number, message: string, ...legal: readonly (number | '4xx' | '5xx')[]]

const answers: Readonly<Record<FaultName | 'unauthenticated' | 'forbidden', BuiltIn>> = {
  unauthenticated: [401, 'The request has no valid credentials.'],
  forbidden: [403, 'The credentials do not permit this.', 404],
  pathNotFound: [404, 'There is no such path.', '4xx'],
  itemNotFound: [404, 'There is no such item.'],
  methodNotAllowed: [405, 'The path does not have this method.', '4xx', 501],
  notAcceptable: [406, 'No media type of the header Accept can be given.', '4xx'],
  unsupportedMediaType: [415, 'The media type of the body is not accepted.', '4xx'],
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
  return { location: { pointer: '/errors' }, name, status, code: name, message, legal, builtIn: true }
}
