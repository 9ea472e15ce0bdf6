import { sql } from 'kysely'
import type { ServiceTable } from '../../runtime/server/index.js'
import {
  buildServiceTable,
  type Diagnostic,
  type EntityType,
  loadSpec,
  type Service,
} from '../../spec/language/index.js'
import type { ReferenceOptions } from '../reference-service.js'
import { openEngine } from './engines/open-engine.js'
import { backfill } from './migrations/backfill.js'
import { migrate, type StoreIdentity } from './migrations/migrate.js'
import { planStore } from './migrations/plan.js'
import { purgeRemovals } from './read/changes.js'
import { buildSchema } from './schema/build-schema.js'
import { singletonColumn } from './schema/schema.js'
import type { Store } from './store.js'
import { createNormaliser } from './values/normaliser.js'
import { canGenerateKey, newValues } from './write/item-values.js'
import { alignVersionSequences } from './write/versions.js'
import { insertItem } from './write/write-item.js'

/**
 * Opens the store of a described service: its tables are made from the spec, or brought up to it.
 *
 * @throws {SpecError} when the spec has errors
 * @throws {MigrationError} when the store was made for a spec that this one cannot follow by adding to it
 * @throws {DriverError} when the package that talks to the database is not installed, or cannot be loaded
 */
export async function openServiceStore(
  options: Pick<ReferenceOptions, 'spec' | 'store' | 'choices' | 'now' | 'statementTimeout'>,
): Promise<Store> {
  const service = typeof options.spec === 'string' ? await loadedService(options.spec) : options.spec
  const table = applyChoices(buildServiceTable(service), service, options.choices ?? {})
  const engine = await openEngine(options.store, options.statementTimeout)
  try {
    const schema = buildSchema(service)
    const plan = planStore(schema, service)
    const normalise = createNormaliser(service, engine.dialect)
    const now = options.now ?? (() => new Date())
    const storeOf = (identity: StoreIdentity): Store => {
      return { service, table, schema, engine, identity, normalise, now }
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

async function loadedService(path: string): Promise<Service> {
  const { service, diagnostics } = await loadSpec(path)
  if (service === undefined) throw new SpecError(path, diagnostics)
  return service
}

/** Choices that change what is sent or how a page is cut; the others are how the store compares, orders and finds. */
const adjustable: ReadonlySet<string> = new Set([
  'countOnLaterPages',
  'emptyRelation',
  'topAboveMaximum',
  'topMeaning',
  'unselected',
  'unselectedKey',
])

/**
 * The table with other answers to choices that the spec leaves open.
 *
 * @throws {TypeError} for a choice that the spec does not have, an answer that it does not allow, or one that the store
 * cannot give
 */
function applyChoices(
  table: ServiceTable,
  { open }: Service,
  choices: Readonly<Record<string, string | number>>,
): ServiceTable {
  for (const [name, value] of Object.entries(choices)) {
    const choice = open.find(candidate => candidate.name === name)
    if (choice === undefined) throw new TypeError(`The spec leaves no choice open that is named ${name}.`)
    if (!choice.legal.includes(value)) {
      throw new TypeError(`The choice ${name} may be ${choice.legal.join(' or ')}, but found ${value}.`)
    }
    if (value !== choice.reference && !adjustable.has(name)) {
      throw new TypeError(`The choice ${name} is always ${choice.reference} here.`)
    }
  }
  return { ...table, choices: { ...table.choices, ...choices } }
}

/** A spec that cannot be run. */
export class SpecError extends Error {
  override readonly name = 'SpecError'
  readonly diagnostics: readonly Diagnostic[]

  constructor(path: string, diagnostics: readonly Diagnostic[]) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    const [first] = errors
    super(`The spec ${path} has ${errors.length} errors.${first === undefined ? '' : ` The first: ${first.message}`}`)
    this.diagnostics = diagnostics
  }
}

/**
 * Makes the singletons that can be made from defaults alone. Others come with the data; those of the signed-in caller are
 * items of a set.
 */
async function createSingletons(store: Store): Promise<void> {
  const { engine, schema } = store
  for (const element of store.service.container) {
    if (element.kind !== 'singleton' || element.principal || !isMadeOfDefaults(element.type)) continue
    await engine.maintain(async session => {
      const name = engine.dialect.bind(element.name, 'text')
      const table = sql.id(schema.tableOf(element.type).name)
      const any = sql`SELECT 1 FROM ${table} WHERE ${sql.id(singletonColumn)} = ${name}`
      if ((await session.all(engine.compile(any))).length > 0) return
      await insertItem(store, session, element.type, newValues(element.type, {}, store), { singleton: element.name })
    })
  }
}

function isMadeOfDefaults({ properties, key, abstract }: EntityType): boolean {
  const isGiven = (property: (typeof properties)[number]): boolean =>
    property.nullable || property.collection || property.default !== undefined || property.stamp !== undefined
  return (
    !abstract && properties.every(property => isGiven(property) || (key.includes(property) && canGenerateKey(property)))
  )
}
