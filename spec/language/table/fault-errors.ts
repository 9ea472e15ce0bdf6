import type { FaultName } from '../document/index.js'
import type { ErrorDefinition } from '../model/service.js'
import type { ErrorData } from './table-data.js'

/** What is sent of an error. */
export function errorData({ status, code, message }: ErrorDefinition): ErrorData {
  return { status, code, message }
}

/** The error of each fault, as it is sent. */
export function faultErrors(
  faults: Readonly<Record<FaultName, ErrorDefinition>>,
): Readonly<Record<FaultName, ErrorData>> {
  return {
    pathNotFound: errorData(faults.pathNotFound),
    itemNotFound: errorData(faults.itemNotFound),
    methodNotAllowed: errorData(faults.methodNotAllowed),
    notAcceptable: errorData(faults.notAcceptable),
    unsupportedMediaType: errorData(faults.unsupportedMediaType),
    malformedQueryOption: errorData(faults.malformedQueryOption),
    unsupportedQueryOption: errorData(faults.unsupportedQueryOption),
    malformedBody: errorData(faults.malformedBody),
    invalidBody: errorData(faults.invalidBody),
    malformedKey: errorData(faults.malformedKey),
    invalidParameter: errorData(faults.invalidParameter),
    malformedEntityTag: errorData(faults.malformedEntityTag),
    preconditionFailed: errorData(faults.preconditionFailed),
    preconditionRequired: errorData(faults.preconditionRequired),
    conflict: errorData(faults.conflict),
    expiredToken: errorData(faults.expiredToken),
    payloadTooLarge: errorData(faults.payloadTooLarge),
    uriTooLong: errorData(faults.uriTooLong),
    tooManyRequests: errorData(faults.tooManyRequests),
    notImplemented: errorData(faults.notImplemented),
    internalError: errorData(faults.internalError),
    serviceUnavailable: errorData(faults.serviceUnavailable),
  }
}
