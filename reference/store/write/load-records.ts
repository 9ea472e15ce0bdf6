import type { EntityType, NavigationProperty } from '../../../spec/language/index.js'
import type { EntityRecord, ItemKey, RecordOwner } from '../../entity-record.js'
import type { Session } from '../engine/engine.js'
import type { Store } from '../store.js'
import { findItem, type Owner } from './find-item.js'
import { insertItem, type NewPlace } from './insert-item.js'
import { newValues } from './item-values.js'
import { linkItems } from './link-items.js'

/** Records that are stored in one transaction. */
const batchSize = 500

/** Owners that are remembered: what one contains mostly comes in one piece. */
const maxOwners = 1000

/** A link whose target may not be stored yet. */
interface PendingLink {
  readonly type: EntityType
  readonly source: number
  readonly navigation: NavigationProperty
  readonly target: ItemKey
  readonly near: readonly Owner[]
}

interface Loading {
  readonly store: Store
  readonly owners: Map<string, number>
  readonly pending: PendingLink[]
  count: number
}

/**
 * Stores records, so many in one transaction, and links them once the targets are there.
 *
 * @returns how many items were stored
 * @throws {TypeError} for a record that does not fit, or a link that leads nowhere
 */
export async function loadRecords(
  store: Store,
  records: Iterable<EntityRecord> | AsyncIterable<EntityRecord>,
): Promise<number> {
  const loading: Loading = { store, owners: new Map(), pending: [], count: 0 }
  let batch: EntityRecord[] = []
  for await (const record of records) {
    batch.push(record)
    if (batch.length < batchSize) continue
    await storeBatch(batch, loading)
    batch = []
  }
  await storeBatch(batch, loading)
  await linkPending(loading, true)
  return loading.count
}

/** A transaction may be begun anew: what it adds to the loading counts only when it ends. */
async function storeBatch(batch: readonly EntityRecord[], loading: Loading): Promise<void> {
  const done = await loading.store.engine.write(async session => {
    const part: Loading = { ...loading, pending: [], count: 0 }
    for (const record of batch) await storeRecord(record, undefined, part, session)
    return part
  })
  loading.count += done.count
  loading.pending.push(...done.pending)
  if (loading.pending.length >= batchSize) await linkPending(loading, false)
}

async function storeRecord(
  record: EntityRecord,
  place: NewPlace['owner'],
  loading: Loading,
  session: Session,
): Promise<void> {
  const { store } = loading
  const type = concreteType(record.type, store)
  requireKnown(record, type)
  const owner = record.owner === undefined ? place : await ownerOf(record.owner, loading, session)
  const id = await insertItem(store, session, type, newValues(type, record.properties, store), {
    owner,
    singleton: record.singleton,
  })
  loading.count++
  for (const [name, nested] of Object.entries(record.contained ?? {})) {
    const relation = relationNamed(name, type)
    for (const child of nested) await storeRecord(child, { id, relation }, loading, session)
  }
  for (const [name, targets] of Object.entries(record.links ?? {})) {
    const navigation = relationNamed(name, type)
    const near = owner === undefined ? [] : [{ column: ownerColumn(owner.relation, store), id: owner.id }]
    for (const target of targets) loading.pending.push({ type, source: id, navigation, target, near })
  }
}

function concreteType(name: string, { service }: Store): EntityType {
  const type = service.entityTypes.find(candidate => candidate.name === name)
  if (type === undefined) throw new TypeError(`A record is of type ${name}, which the spec does not have.`)
  if (type.abstract) throw new TypeError(`A record is of the abstract type ${name}: it must be of one derived from it.`)
  return type
}

function requireKnown({ properties }: EntityRecord, type: EntityType): void {
  const unknown = Object.keys(properties).find(name => !type.properties.some(property => property.name === name))
  if (unknown !== undefined)
    throw new TypeError(`A record of type ${type.name} has the property ${unknown}, which that type lacks.`)
}

function relationNamed(name: string, type: EntityType): NavigationProperty {
  const navigation = type.navigation.find(candidate => candidate.name === name)
  if (navigation === undefined)
    throw new TypeError(`A record of type ${type.name} has the relation ${name}, which that type lacks.`)
  return navigation
}

function ownerColumn(relation: NavigationProperty, { schema }: Store): string {
  const found = schema.relationOf(relation)
  return found.kind === 'contained' ? found.column : ''
}

async function ownerOf(
  owner: RecordOwner,
  loading: Loading,
  session: Session,
): Promise<{ id: number; relation: NavigationProperty }> {
  const { store, owners } = loading
  const type = store.schema.typeOf(owner.type)
  const relation = relationNamed(owner.relation, type)
  const name = JSON.stringify(owner)
  const known = owners.get(name)
  if (known !== undefined) return { id: known, relation }
  const outer = owner.owner === undefined ? undefined : await ownerOf(owner.owner, loading, session)
  const near = outer === undefined ? [] : [{ column: ownerColumn(outer.relation, store), id: outer.id }]
  const id = await findItem(store, session, type, owner.key, near)
  if (id === undefined)
    throw new TypeError(`A record belongs to the ${owner.type} ${owner.key.join('/')}, which is not there.`)
  if (owners.size >= maxOwners) owners.clear()
  owners.set(name, id)
  return { id, relation }
}

/** Links what has its target by now; at the end, all must have. */
async function linkPending(loading: Loading, isLast: boolean): Promise<void> {
  const { store, pending } = loading
  const links = pending.splice(0)
  const waiting: PendingLink[] = []
  for (let start = 0; start < links.length; start += batchSize) {
    const part = links.slice(start, start + batchSize)
    waiting.push(...(await store.engine.write(session => linkPart(part, store, session))))
  }
  const [first] = waiting
  if (isLast && first !== undefined) {
    const { type, navigation, target } = first
    throw new TypeError(
      `${type.name}/${navigation.name} leads to the ${navigation.type.name} ${target.join('/')}, which is not there.`,
    )
  }
  pending.push(...waiting)
}

async function linkPart(
  links: readonly PendingLink[],
  store: Store,
  session: Session,
): Promise<readonly PendingLink[]> {
  const waiting: PendingLink[] = []
  for (const link of links) {
    const { navigation, source, target, near } = link
    const id = await findItem(store, session, navigation.type, target, near)
    if (id === undefined) waiting.push(link)
    else await linkItems(store, session, store.schema.relationOf(navigation), source, id)
  }
  return waiting
}
