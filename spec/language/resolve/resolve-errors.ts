import type { FaultName } from '../document/index.js'
import type { Authentication, ErrorDefinition } from '../model/service.js'
import { pointerTo } from '../source/pointer.js'
import { builtInError } from './built-in-errors.js'
import { type Resolution, refer } from './resolution.js'

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
        : refer(resolution, { kind: 'error', name: declared, at, chapter: '/errors', known })
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
