import { type ErrorDetail, Failure, type FailureDetails, type FaultDetails, isRequestFault } from '../errors.js'
import type { ServerResponse } from '../http/message.js'
import type { ErrorInfo, ServiceTable } from '../service-table.js'
import { jsonContentType } from './json-response.js'

/**
 * The response to an error that stopped a request. An undeclared error is an internal error: the caller never sees its
 * message and stack, but `onUnexpected` receives it. `onUnexpected` also receives the cause of a fault.
 */
export function responseForError(
  error: unknown,
  table: ServiceTable,
  headers: Readonly<Record<string, string>>,
  onUnexpected: (error: unknown) => void,
): ServerResponse {
  if (isRequestFault(error)) {
    if (error.cause !== undefined) reportUnexpected(error.cause, onUnexpected)
    return errorResponse(table.faults[error.fault], error.given, headers)
  }
  const declared =
    error instanceof Failure && Object.hasOwn(table.errors, error.error) ? table.errors[error.error] : undefined
  if (error instanceof Failure && declared !== undefined) return errorResponse(declared, error.given, headers)
  reportUnexpected(error, onUnexpected)
  return errorResponse(table.faults.internalError, {}, headers)
}

/** An error in the hook must not prevent the response. */
function reportUnexpected(error: unknown, onUnexpected: (error: unknown) => void): void {
  try {
    onUnexpected(error)
  } catch {
    return
  }
}

/** The language of the messages. Specs can be in another one, and then set the header of their errors. */
const messageLanguage = 'en'

/**
 * An error response with the declared status, code and message. Values fill the placeholders of the message. If the
 * message has no placeholder `{reason}`, the reason is appended.
 *
 * @see OData JSON Format 4.01, 21.1 (error response)
 */
function errorResponse(
  info: ErrorInfo,
  given: FaultDetails,
  headers: Readonly<Record<string, string>>,
): ServerResponse {
  const details = detailsOf(info, given)
  const error = {
    code: info.code,
    message: given.message ?? messageOf(info.message, given.values ?? {}),
    ...(given.target === undefined ? {} : { target: given.target }),
    ...(details === undefined ? {} : { details }),
    innerError: {
      date: new Date().toISOString().slice(0, 19),
      'request-id': headers['request-id'],
      ...(headers['client-request-id'] === undefined ? {} : { 'client-request-id': headers['client-request-id'] }),
    },
  }
  return {
    status: info.status,
    headers: { ...headers, 'content-type': jsonContentType(), 'content-language': messageLanguage, ...given.headers },
    body: JSON.stringify({ error }),
  }
}

function detailsOf(info: ErrorInfo, given: FaultDetails): readonly ErrorDetail[] | undefined {
  return given.details ?? given.reasons?.map(reason => ({ code: info.code, ...reason }))
}

const placeholder = /\{([A-Za-z][A-Za-z0-9]*)\}/g

function messageOf(template: string, values: NonNullable<FailureDetails['values']>): string {
  const reason = Object.hasOwn(values, 'reason') ? values['reason'] : undefined
  const message = template.replaceAll(placeholder, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )
  return reason === undefined || template.includes('{reason}') ? message : `${message} ${reason}`
}
