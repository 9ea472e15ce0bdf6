import { readData } from '../../reference/data/read-data.js'
import type { EntityRecord, ReferenceService } from '../../reference/index.js'
import type { ProgressLine } from '../progress.js'

/** The user asked the process to stop before all was loaded. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/**
 * Loads a data file into a store that is empty; leaves any other as it is.
 *
 * @param stopped what ends it before its time, with nothing loaded
 * @param progress shows how many items there are so far
 * @returns how many items were loaded; undefined: the store has data already
 * @throws DataError with all that is wrong with the file
 * @throws Interrupted
 */
export async function loadData(
  reference: ReferenceService,
  path: string,
  stopped: Promise<void>,
  progress: ProgressLine,
): Promise<number | undefined> {
  if (!(await reference.isEmpty())) return undefined
  const count = await reference.load(until(stopped, readData(path, reference.service), progress), { onlyIfEmpty: true })
  // Another process that began at the same moment was faster.
  return count === 0 && !(await reference.isEmpty()) ? undefined : count
}

async function* until(
  stopped: Promise<void>,
  records: AsyncIterable<EntityRecord>,
  progress: ProgressLine,
): AsyncGenerator<EntityRecord, void, undefined> {
  let isStopped = false
  let count = 0
  void stopped.then(() => {
    isStopped = true
  })
  for await (const record of records) {
    if (isStopped) throw new Interrupted('The load was interrupted.')
    count++
    progress.tell(() => `Loading data: ${count.toLocaleString('en')} items`)
    yield record
  }
}
