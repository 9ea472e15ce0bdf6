import { sql } from 'kysely'
import type { ServiceLimits, ServiceTable } from '../../runtime/server/index.js'
import {
  buildServiceTable,
  type Diagnostic,
  type EntityType,
  formatDiagnostics,
  loadSpec,
  type Service,
} from '../../spec/language/index.js'
import { singletonColumn } from '../../sql/index.js'
import { withAtomicWork } from './engines/engine.js'
import { openEngine } from './engines/open-engine.js'
import { backfill } from './migrations/backfill.js'
import { migrate, type StoreIdentity } from './migrations/migrate.js'
import { planStore } from './migrations/plan.js'
import { purgeRemovals } from './read/changes.js'
import { buildSchema } from './schema/build-schema.js'
import type { Store } from './store.js'
import { createNormaliser } from './values/normaliser.js'
import { canGenerateKey, newValues } from './write/item-values.js'
import { alignVersionSequences } from './write/versions.js'
import { insertItem } from './write/write-item.js'

/** Which service to store, and where. */
export interface StoreOptions {
  /** A described service, or the path of its spec. */
  readonly spec: Service | string
  /**
   * `sqlite:FILE` (created if missing), `sqlite::memory:` (lost when the process ends), or the connection string of a
   * PostgreSQL database, `postgres://…`. At start, tables are created or migrated to the spec.
   */
  readonly store: string
  /**
   * A streaming replica of this database, `postgres://…`, which answers reads when it has every write that was acknowledged before
   * them. A read waits for that so many milliseconds, by default 0. After that, and while the replica is away, the primary answers.
   */
  readonly readStore?: string
  readonly replicaMilliseconds?: number
  /**
   * The longest time, in milliseconds, that PostgreSQL may spend on one statement of a request; after that the service answers
   * 503. Default: 30 seconds. 0: the limit of the server. SQLite runs inside the process: its statements cannot be cancelled.
   */
  readonly statementTimeout?: number
  /**
   * The longest time, in milliseconds, that SQLite as WebAssembly, or in memory, may spend on one statement of a read. In memory, the
   * other drivers look at the clock for some of the rows.
   */
  readonly readMilliseconds?: number
  /** The writes of one principal that may wait for the writer of SQLite. Default: 200. */
  readonly waitingWrites?: number | undefined
  /** This service's answers to open choices of the spec. Default: the `reference` value of each choice. */
  readonly choices?: Readonly<Record<string, string | number>>
  /** Limits that replace those of the spec, `{ filterNodes: 100 }`. */
  readonly limits?: Partial<ServiceLimits>
  /** The clock. Default: the system clock. */
  readonly now?: () => Date
}

/**
 * Opens the store of a described service. Creates its tables from the spec, or migrates them.
 *
 * @throws {SpecError} if the spec has errors
 * @throws {MigrationError} if the existing store cannot be migrated to this spec by adding tables and columns
 * @throws {DriverError} if the package that connects to the database is not installed or cannot be loaded
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const service = await serviceOf(options.spec)
  // A caller in JavaScript can omit it.
  if (typeof options.store !== 'string')
    throw new TypeError(
      'The option store must be the address of a store: sqlite:FILE, sqlite::memory: or postgres://USER@HOST/DATABASE.',
    )
  const chosen = applyChoices({ ...buildServiceTable(service), numbers: 'exact' }, service, options.choices ?? {})
  const table = { ...chosen, limits: { ...chosen.limits, ...options.limits } }
  const { engine, atomically, isAtomic } = await openEngine(options.store, {
    statementTimeout: options.statementTimeout,
    patternSteps: table.limits.patternSteps,
    readMilliseconds: options.readMilliseconds,
    waitingWrites: options.waitingWrites,
    replica:
      options.readStore === undefined
        ? undefined
        : { address: options.readStore, milliseconds: options.replicaMilliseconds ?? 0 },
  }).then(withAtomicWork)
  try {
    const schema = buildSchema(service)
    const plan = planStore(schema, service)
    const normalise = createNormaliser(service, engine.dialect)
    const now = options.now ?? (() => new Date())
    const storeOf = (identity: StoreIdentity): Store => {
      return { service, table, schema, engine, atomically, isAtomic, identity, normalise, now }
    }
    const store = storeOf(await migrate(engine, plan, (session, found) => backfill(storeOf(found), plan, session)))
    await alignVersionSequences(store)
    await purgeRemovals(store)
    await createSingletons(store)
    return store
  } catch (error) {
    await engine.close()
    throw error
  }
}

/**
 * The service of the option `spec`.
 *
 * @throws {SpecError} if the spec has errors
 * @throws {TypeError} if JavaScript passes something else
 */
export async function serviceOf(spec: Service | string): Promise<Service> {
  if (typeof spec === 'string') {
    const { service, diagnostics } = await loadSpec(spec)
    if (service === undefined) throw new SpecError(diagnostics)
    return service
  }
  if (isService(spec)) return spec
  throw new TypeError(
    'The option spec must be the path of a spec, or a service without errors: the member `service` of what `loadSpec(path)` resolves to, or of what `loadSpecText(text, name)` returns.',
  )
}

const isService = (value: unknown): boolean => typeof value === 'object' && value !== null && 'entityTypes' in value

/** The choices that you can change: they affect responses and paging. The others are built into how the store compares and orders. */
const adjustable: ReadonlySet<string> = new Set([
  'countOnLaterPages',
  'emptyRelation',
  'enumNumbers',
  'readOnlyInBody',
  'topAboveMaximum',
  'topMeaning',
  'unselected',
  'unselectedKey',
])

/**
 * The table with the given values of open choices.
 *
 * @throws {TypeError} for an unknown choice, a value that the spec does not allow, or one that the store does not support
 */
function applyChoices(
  table: ServiceTable,
  { open }: Service,
  choices: Readonly<Record<string, string | number>>,
): ServiceTable {
  for (const [name, value] of Object.entries(choices)) {
    const choice = open.find(candidate => candidate.name === name)
    if (choice === undefined) throw new TypeError(`The spec has no open choice named ${name}.`)
    if (!choice.legal.includes(value)) {
      throw new TypeError(`The choice ${name} must be ${choice.legal.join(' or ')}, but found ${value}.`)
    }
    if (value !== choice.reference && !adjustable.has(name)) {
      throw new TypeError(
        `The choice ${name} cannot be changed: the reference service supports only ${choice.reference}.`,
      )
    }
  }
  return { ...table, choices: { ...table.choices, ...choices } }
}

/** The spec has errors, so that the service cannot run. */
export class SpecError extends Error {
  override readonly name = 'SpecError'
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    const number = errors.length === 1 ? 'has an error:' : `has ${errors.length} errors. The first:`
    const [first = ''] = formatDiagnostics(errors.slice(0, 1), { format: 'plain' }).split('\n')
    const isText = errors[0]?.code === 'file/is-text'
    super(`The spec ${number} ${first}${isText ? ' Pass `loadSpecText(text, name).service` instead.' : ''}`)
    this.diagnostics = diagnostics
  }
}

/**
 * Creates the singletons that consist of default values only. Other singletons come with the data. Singletons bound to the
 * signed-in caller are items of an entity set.
 */
async function createSingletons(store: Store): Promise<void> {
  const { engine, schema } = store
  for (const element of store.service.container) {
    if (element.kind !== 'singleton' || element.principal || !hasOnlyDefaults(element.type)) continue
    await engine.maintain(async session => {
      const name = engine.dialect.bind(element.name, 'text')
      const table = sql.id(schema.tableOf(element.type).name)
      const any = sql`SELECT 1 FROM ${table} WHERE ${sql.id(singletonColumn)} = ${name}`
      if ((await session.all(engine.compile(any))).length > 0) return
      await insertItem(store, session, element.type, newValues(element.type, {}, store), { singleton: element.name })
    })
  }
}

function hasOnlyDefaults({ properties, key, abstract }: EntityType): boolean {
  const isGiven = (property: (typeof properties)[number]): boolean =>
    property.nullable || property.collection || property.default !== undefined || property.stamp !== undefined
  return (
    !abstract && properties.every(property => isGiven(property) || (key.includes(property) && canGenerateKey(property)))
  )
}
