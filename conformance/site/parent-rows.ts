import type { Endpoint } from '../../spec/language/index.js'
import type { Row } from '../json.js'
import { isSamePath } from './is-same-path.js'
import type { Site } from './site.js'
import type { Snapshot } from './snapshot.js'

/** A row that an endpoint's path can lead through, and the collection that it was found in. */
export interface ParentRow {
  readonly site: Site
  readonly row: Row
}

/**
 * Rows whose keys fill in the last key of an endpoint's path: those of the collection that the path leads through, or else
 * of another one of the same type.
 */
export function parentRows(endpoint: Endpoint, snapshots: readonly Snapshot[]): readonly ParentRow[] {
  const last = endpoint.keys.at(-1)
  if (last === undefined) return []
  const prefix = endpoint.resolved.slice(0, last.segment)
  const own = snapshots.filter(({ site }) => isSamePath(site.endpoint.resolved, prefix))
  const others = snapshots.filter(({ site }) => site.type === last.type && site.endpoint.keys.length === 0)
  return (own.length > 0 ? own : others).flatMap(({ site, rows }) => rows.map(row => ({ site, row })))
}
