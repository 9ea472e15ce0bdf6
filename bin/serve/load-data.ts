import { readData } from '../../reference/data/read-data.js'
import type { ReferenceService } from '../../reference/index.js'

/**
 * Loads a data file into a store that is empty; leaves any other as it is.
 *
 * @returns how many items were loaded; undefined: the store has data already
 * @throws DataError with all that is wrong with the file
 */
export async function loadData(reference: ReferenceService, path: string): Promise<number | undefined> {
  if (!(await reference.isEmpty())) return undefined
  return reference.load(readData(path, reference.service), { onlyIfEmpty: true })
}
