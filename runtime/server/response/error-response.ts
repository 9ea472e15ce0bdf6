import type { ErrorDetail, FailureDetails } from '../failure.js'
import type { Outgoing } from '../outgoing.js'
import type { FaultDetails } from '../request-fault.js'
import type { ErrorInfo } from '../service-table.js'
import { jsonContentType } from './json-content-type.js'

/**
 * The response that tells of an error: the declared status, code and message, its placeholders filled. A `reason` that
 * the declared message has no place for is added to it.
 *
 * @see OData JSON Format 4.01, 21.1 (error response)
 */
export function errorResponse(
  info: ErrorInfo,
  given: FaultDetails,
  headers: Readonly<Record<string, string>>,
): Outgoing {
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
    headers: { ...headers, 'content-type': jsonContentType('minimal'), ...given.headers },
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
