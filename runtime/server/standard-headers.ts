import { RequestFault } from './request-fault.js'
import type { RequestHead } from './request-head.js'

const printable = /^[\x21-\x7e][\x20-\x7e]{0,127}$/

/** The headers that every response to a request carries. Always two versions are told apart: 4.0, and 4.01 on demand. */
export function standardHeaders({ headers }: RequestHead): Record<string, string> {
  const client = headers.get('client-request-id')
  const standard: Record<string, string> = {
    'odata-version': headers.get('odata-maxversion')?.trim() === '4.01' ? '4.01' : '4.0',
    'request-id': crypto.randomUUID(),
  }
  if (client !== null && printable.test(client)) standard['client-request-id'] = client
  return standard
}

/**
 * Refuses a caller that takes no version this service speaks.
 *
 * @see OData Protocol 4.01, 8.2.7 (OData-MaxVersion)
 */
export function requireVersion({ headers }: RequestHead): void {
  const version = headers.get('odata-maxversion')
  if (version === null || !/^\d+\.\d+$/.test(version.trim()) || Number.parseFloat(version) >= 4) return
  throw new RequestFault('notAcceptable', {
    values: { reason: `OData-MaxVersion is ${version.trim()}; this service speaks 4.0 and 4.01.` },
  })
}
