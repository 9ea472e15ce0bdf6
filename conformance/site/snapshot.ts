import type { Row } from '../json.js'
import type { Site } from './site.js'

/** What a collection held when it was read. */
export interface Snapshot {
  readonly site: Site
  /** In the order received, each with all properties that the service shows. */
  readonly rows: readonly Row[]
  /** By key, as `keyOf` writes it. */
  readonly byKey: ReadonlyMap<string, Row>
  /** Whether all rows were read. Predictions need that; relations between answers do not. */
  readonly complete: boolean
  /** Names of the properties that were asked for or shown: what a row lacks beside these is unknown, not null. */
  readonly properties: ReadonlySet<string>
}
