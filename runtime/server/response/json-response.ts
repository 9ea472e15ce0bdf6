import type { Exchange } from '../exchange.js'
import type { Outgoing } from '../outgoing.js'
import { jsonContentType } from './json-content-type.js'
import { preferenceApplied } from './preference-applied.js'

/** A JSON response to an exchange. `headers` are those of this response alone. */
export function jsonResponse(
  exchange: Exchange,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Outgoing {
  const metadata = exchange.representation.type === 'json' ? exchange.representation.metadata : 'minimal'
  return {
    status,
    headers: {
      ...exchange.headers,
      ...preferenceApplied(exchange),
      ...headers,
      'content-type': jsonContentType(metadata),
    },
    body: metadata === 'none' ? JSON.stringify(body, withoutControlInformation) : JSON.stringify(body),
  }
}

/** A response without a body. */
export function emptyResponse(
  exchange: Exchange,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Outgoing {
  return { status, headers: { ...exchange.headers, ...preferenceApplied(exchange), ...headers }, body: undefined }
}

/** The address of the metadata that describes a response. */
export function contextUrl(exchange: Exchange): string {
  const fragment = exchange.compiled.context(exchange.keys, exchange.plan.selection)
  return `${exchange.serviceUrl}/$metadata#${fragment}`
}

/** `odata.metadata=none` keeps counts and links only. @see OData JSON Format 4.01, 3.1.3 */
function withoutControlInformation(name: string, value: unknown): unknown {
  return name === '@odata.context' || name === '@odata.etag' || name === '@odata.type' ? undefined : value
}
