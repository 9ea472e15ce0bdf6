import type { Metadata } from '../http/accept.js'

const contentTypes: Readonly<Record<Metadata, string>> = {
  minimal: 'application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8',
  none: 'application/json;odata.metadata=none;odata.streaming=true;IEEE754Compatible=false;charset=utf-8',
}

/** The `Content-Type` of a JSON response. @see OData JSON Format 4.01, 3 */
export function jsonContentType(metadata: Metadata): string {
  return contentTypes[metadata]
}
