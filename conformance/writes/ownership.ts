import type { EntityType } from '../../spec/language/index.js'
import { keyOf } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import { isRow } from '../json.js'

/** By what to recognise an item that a run created. */
export interface Provenance {
  readonly type: EntityType
  /** The text that the run put into its items. */
  readonly mark: string
  /** The key in the response to the create. Absent if the response had none; then only the mark counts. */
  readonly key?: string
}

/**
 * What a read says about an item: `ours`: it carries the mark of the run, or the key that the service gave to what the
 * run created. `missing`: the item does not exist. `other`: somebody else's item. `unknown`: the read does not tell.
 */
export type Ownership = 'ours' | 'missing' | 'other' | 'unknown'

export function ownershipOf(response: TestResponse, { type, mark, key }: Provenance): Ownership {
  const { status, json } = response
  if (response.transportError !== undefined) return 'unknown'
  if (status === 404 || status === 410) return 'missing'
  if (status !== 200 || !isRow(json)) return 'unknown'
  if (JSON.stringify(json).includes(mark)) return 'ours'
  const shown = keyOf(json, type)
  if (shown === undefined) return 'unknown'
  return key !== undefined && shown === key ? 'ours' : 'other'
}
