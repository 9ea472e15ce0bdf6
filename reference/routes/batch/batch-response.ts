import type { Outgoing } from '../../../runtime/server/index.js'
import { headerName } from './header-name.js'

/**
 * One answer of a batch, as JSON text. A body that is JSON already is not read again.
 *
 * @see OData JSON Format 4.01, 19.3 (batch response)
 */
export function batchResponse(id: string, { status, headers, body }: Outgoing): string {
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [headerName(name), value]))
  const head = `{"id":${JSON.stringify(id)},"status":${status},"headers":${JSON.stringify(named)}`
  if (body === undefined) return `${head}}`
  if (typeof body !== 'string') return `${head},"body":"${Buffer.from(body).toString('base64url')}"}`
  const isJson = headers['content-type']?.startsWith('application/json') === true
  return `${head},"body":${isJson ? body : JSON.stringify(body)}}`
}
