import { BudgetSpent } from '../budget-spent.js'
import type { OpenLedger } from './create-ledger.js'
import { type MarkSearch, markedPaths } from './marked-paths.js'
import { removePath } from './remove-path.js'

/**
 * Deletes what a run created, the newest first, and what it may have created without being told. Never throws for a service
 * that is slow or away: what could not be deleted, or looked for, is told.
 *
 * @returns addresses of items that are still there, and collections that may hold some
 */
export async function cleanUp(
  ledger: Pick<OpenLedger, 'left' | 'gone' | 'mark' | 'unsure'>,
  search: MarkSearch,
): Promise<readonly string[]> {
  const leftovers = new Set<string>()
  const attempt = async (name: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error
      leftovers.add(name)
    }
  }
  const remove = (path: string): Promise<void> =>
    attempt(path, async () => {
      if ((await removePath(path, search.send)) === undefined) ledger.gone(path)
      else leftovers.add(path)
    })
  for (const { path } of ledger.left()) await remove(path)
  for (const collection of ledger.unsure()) {
    const unseen = `${collection} (items with ${ledger.mark} in their text)`
    await attempt(unseen, async () => {
      const paths = await markedPaths(collection, ledger.mark, search)
      if (paths === undefined) leftovers.add(unseen)
      else for (const path of paths) if (!leftovers.has(path)) await remove(path)
    })
  }
  return [...leftovers]
}
