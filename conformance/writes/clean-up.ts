import type { Answer } from '../http/answer.js'
import type { OpenLedger } from './create-ledger.js'
import { type MarkSearch, markedPaths } from './marked-paths.js'

/**
 * Deletes what a run created, the newest first, and what it may have created without being told. Gives the addresses of what
 * could not be deleted.
 */
export async function cleanUp(
  ledger: Pick<OpenLedger, 'left' | 'gone' | 'mark' | 'unsure'>,
  search: MarkSearch,
): Promise<readonly string[]> {
  const leftovers: string[] = []
  const remove = async (path: string): Promise<void> => {
    const answer = await search.send({ method: 'DELETE', path })
    if (isGone(answer)) ledger.gone(path)
    else leftovers.push(path)
  }
  for (const { path } of ledger.left()) await remove(path)
  for (const collection of ledger.unsure()) {
    for (const path of await markedPaths(collection, ledger.mark, search)) {
      if (!leftovers.includes(path)) await remove(path)
    }
  }
  return leftovers
}

function isGone({ status }: Answer): boolean {
  return (status >= 200 && status <= 299) || status === 404 || status === 410
}
