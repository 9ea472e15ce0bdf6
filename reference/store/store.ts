import type { ServiceTable } from '../../runtime/server/index.js'
import type { Service } from '../../spec/language/index.js'
import type { StoreSchema } from '../../sql/index.js'
import type { Atomically } from './engines/atomic.js'
import type { Engine } from './engines/engine.js'
import type { StoreIdentity } from './migrations/migrate.js'
import type { Normaliser } from './values/normaliser.js'

/** The open store of a service. */
export interface Store {
  readonly service: Service
  readonly table: ServiceTable
  readonly schema: StoreSchema
  readonly engine: Engine
  readonly atomically: Atomically
  /** Whether the code that calls it is part of atomic work. */
  readonly isAtomic: () => boolean
  readonly identity: StoreIdentity
  readonly normalise: Normaliser
  readonly now: () => Date
}
