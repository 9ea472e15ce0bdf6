import type { Answer } from '../http/answer.js'
import type { Ask } from '../http/ask.js'
import type { OpenLedger } from './create-ledger.js'

/** Deletes what a run created, the newest first. Gives the addresses of what could not be deleted. */
export async function cleanUp(
  ledger: Pick<OpenLedger, 'left' | 'gone'>,
  ask: (ask: Ask) => Promise<Answer>,
): Promise<readonly string[]> {
  const leftovers: string[] = []
  for (const { path } of ledger.left()) {
    const answer = await remove(path, ask)
    const isGone = (answer.status >= 200 && answer.status <= 299) || answer.status === 404 || answer.status === 410
    if (isGone) ledger.gone(path)
    else leftovers.push(path)
  }
  return leftovers
}

/** Some services delete only what the caller has seen: then with the tag of the moment. */
async function remove(path: string, ask: (ask: Ask) => Promise<Answer>): Promise<Answer> {
  const answer = await ask({ method: 'DELETE', path })
  if (answer.status !== 428) return answer
  const { headers } = await ask({ method: 'GET', path })
  return ask({ method: 'DELETE', path, headers: { 'if-match': headers['etag'] ?? '*' } })
}
