import type { Answer } from '../../http/answer.js'
import type { Session } from '../../session/session.js'

/** Deletes what a run made, and tells the ledger when it is gone. */
export async function removeItem(
  path: string,
  session: Session,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer | undefined> {
  const { ledger } = session
  if (ledger?.isOurs(path) !== true) return undefined
  let answer = await session.ask({ method: 'DELETE', path, headers })
  if (answer.status === 428) {
    const { headers: shown } = await session.ask({ method: 'GET', path })
    answer = await session.ask({ method: 'DELETE', path, headers: { 'if-match': shown['etag'] ?? '*' } })
  }
  if ((answer.status >= 200 && answer.status < 300) || answer.status === 404) ledger.gone(path)
  return answer
}
