import type { TestResponse } from '../../http/message.js'
import type { Session } from '../../session/session.js'
import { canDelete } from '../../writes/ledger.js'

/**
 * Deletes an item of this run, and records in the ledger that it is gone.
 *
 * @returns the response; undefined if nothing shows that the item is one of this run
 */
export async function removeItem(
  path: string,
  session: Session,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse | undefined> {
  const { ledger, service } = session
  if (ledger === undefined || !(await ledger.isOwned(path))) return undefined
  if (!canDelete(path, service)) return undefined
  let response = await session.send({ method: 'DELETE', path, headers })
  if (response.status === 428) {
    const current = await session.send({ method: 'GET', path })
    response = await session.send({ method: 'DELETE', path, headers: { 'if-match': current.headers['etag'] ?? '*' } })
  }
  if ((response.status >= 200 && response.status < 300) || response.status === 404) ledger.markRemoved(path)
  return response
}
