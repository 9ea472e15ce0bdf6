import { sql } from 'kysely'
import { typeKey } from '../../../runtime/query/index.js'
import type { EntityType, NavigationProperty } from '../../../spec/language/index.js'
import {
  allOf,
  type Column,
  type Dialect,
  idColumn,
  isObject,
  Placeholder,
  type Relation,
  related,
  type Session,
  type Sql,
  type SqlValue,
  type Statement,
  storageOf,
  type Table,
} from '../../../sql/index.js'
import type { Store } from '../store.js'
import { clearDependents } from './delete-item.js'
import { type ColumnValues, InvalidValue, newValues } from './item-values.js'
import { insertItem, type Placement } from './write-item.js'

type Body = Readonly<Record<string, unknown>>

/** The `$id` of the item with a URL. Undefined if no item of the type has it. */
export type FindItem = (session: Session, url: string, type: EntityType) => Promise<number | undefined>

/**
 * Inserts an item with the related items that its body contains, at any depth, and links it to those that the body names.
 *
 * @returns its `$id`
 * @throws {InvalidValue} for a value that the store cannot keep, or a URL without an item
 * @throws {StoreError} if a value is not unique
 * @see OData Protocol 4.01, 11.4.2.1 (bind) and 11.4.2.2 (deep insert)
 */
export async function insertWithRelated(
  store: Store,
  session: Session,
  type: EntityType,
  body: Body,
  find: FindItem,
  place: Placement = {},
  given: ColumnValues = {},
): Promise<number> {
  const nested = type.navigation.filter(({ name }) => Object.hasOwn(body, name) && body[name] !== null)
  const { owner } = place
  const ofOwner = owner === undefined ? {} : await valuesOfOwner(owner, type, store, session)
  const columns: Record<string, SqlValue> = { ...newValues(type, body, store), ...ofOwner, ...given }
  const rest: NavigationProperty[] = []
  for (const navigation of nested) {
    const relation = store.schema.relationOf(navigation)
    const value = body[navigation.name]
    // The key of the related item determines properties of this one, so it comes first.
    if (relation.kind !== 'constraint' || relation.dependent !== 'source' || !isObject(value)) rest.push(navigation)
    else {
      const id = await insertWithRelated(store, session, typeOf(value, navigation, store), value, find)
      Object.assign(columns, await valuesOf(relation.target, id, relation.pairs, 'target', store, session))
    }
  }
  const id = await insertItem(store, session, type, columns, place)
  for (const navigation of rest) {
    const value = body[navigation.name]
    const items = Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : []
    for (const item of items) {
      const url = item['@odata.id']
      if (navigation.contained || typeof url !== 'string')
        await insertRelated(store, session, id, navigation, typeOf(item, navigation, store), item, find)
      else {
        const target = await found(session, url, navigation, find)
        await linkItems(store, session, store.schema.relationOf(navigation), id, target)
      }
    }
  }
  await changeLinks(store, session, type, id, body, find)
  await requireReferences(store, session, type, id)
  return id
}

/**
 * Inserts an item that a relation of another one leads to: contained in it, or linked to it.
 *
 * @returns its `$id`
 */
export async function insertRelated(
  store: Store,
  session: Session,
  source: number,
  navigation: NavigationProperty,
  type: EntityType,
  item: Body,
  find: FindItem,
): Promise<number> {
  const relation = store.schema.relationOf(navigation)
  if (relation.kind === 'contained') {
    return insertWithRelated(store, session, type, item, find, { owner: { id: source, relation: navigation } })
  }
  const given =
    relation.kind === 'constraint' && relation.dependent === 'target'
      ? await valuesOf(relation.source, source, relation.pairs, 'source', store, session)
      : {}
  const id = await insertWithRelated(store, session, type, item, find, {}, given)
  if (relation.kind !== 'constraint' || relation.dependent === 'source')
    await linkItems(store, session, relation, source, id)
  return id
}

/** The type of a nested item: the one that it names, or that of the relation. */
function typeOf(item: Body, navigation: NavigationProperty, { schema, table }: Store): EntityType {
  const named = item['@odata.type']
  return typeof named === 'string' ? schema.typeOf(typeKey(named, table.types)) : navigation.type
}

/** The values of a contained item that the item that contains it determines: a constraint of the relation to that item. */
async function valuesOfOwner(
  { id, relation }: { readonly id: number; readonly relation: NavigationProperty },
  type: EntityType,
  store: Store,
  session: Session,
): Promise<ColumnValues> {
  const { constraint = [], type: owning = type } = relation.partner ?? {}
  if (constraint.length === 0) return {}
  const [table, outer] = [store.schema.tableOf(type), store.schema.tableOf(owning)]
  const pairs = constraint.flatMap(({ dependent, principal }) => {
    const own = type.properties.find(({ name }) => name === dependent)
    const other = owning.properties.find(({ name }) => name === principal)
    return own === undefined || other === undefined
      ? []
      : [{ source: outer.columnOf(other), target: table.columnOf(own) }]
  })
  return valuesOf(outer, id, pairs, 'source', store, session)
}

/** The values of an item that the columns of a related one must equal, by the names of those columns. */
async function valuesOf(
  { name }: Table,
  id: number,
  pairs: readonly { readonly source: Column; readonly target: Column }[],
  side: 'source' | 'target',
  { engine }: Store,
  session: Session,
): Promise<ColumnValues> {
  const { bind, lossless } = engine.dialect
  const other = side === 'source' ? 'target' : 'source'
  const columns = pairs.map(pair => lossless(sql`${sql.id(pair[side].name)}`, storageOf(pair[side].type.kind)))
  const where = sql`${sql.id(idColumn)} = ${bind(id, 'integer')}`
  const [row] = await session.all(engine.compile(sql`SELECT ${sql.join(columns)} FROM ${sql.id(name)} WHERE ${where}`))
  const values: Record<string, SqlValue> = {}
  for (const [index, pair] of pairs.entries()) values[pair[other].name] = stored(row?.[index])
  return values
}

/** A selected key keeps the form that it is stored in: engines return keys as texts and numbers. */
function stored(value: unknown): SqlValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? value : null
}

/** Whether a body links or unlinks items. */
export function hasLinks(body: Body): boolean {
  return Object.keys(body).some(name => name.endsWith('@odata.bind') || name.endsWith('@odata.delta'))
}

/**
 * Links and unlinks the items that a body names. A relation to one item is replaced, and items are added to a collection.
 *
 * @throws {InvalidValue} for a URL without an item
 */
export async function changeLinks(
  store: Store,
  session: Session,
  type: EntityType,
  id: number,
  body: Body,
  find: FindItem,
): Promise<void> {
  for (const navigation of type.navigation) {
    const { name, collection, contained } = navigation
    // A delta of contained items changes them.
    if (contained) continue
    const relation = store.schema.relationOf(navigation)
    const bound = body[`${name}@odata.bind`]
    const isDependent = relation.kind === 'constraint' && relation.dependent === 'source'
    // The server core has set the properties of a constraint, unless the URL has an alternate key.
    const isSet = isDependent && navigation.constraint.every(({ dependent }) => Object.hasOwn(body, dependent))
    if (bound === null && !isSet) await unlinkItems(store, session, relation, id, undefined)
    const urls = Array.isArray(bound) ? bound : bound === undefined || bound === null ? [] : [bound]
    for (const url of urls) {
      const target = await found(session, String(url), navigation, find)
      if (!collection && !isDependent) await unlinkItems(store, session, relation, id, undefined)
      if (!isSet) await linkItems(store, session, relation, id, target)
    }
    // A deep update can change the items, too.
    if (store.table.features?.includes('deepUpdate') === true) continue
    const changes = body[`${name}@odata.delta`]
    for (const change of Array.isArray(changes) ? changes.filter(isObject) : []) {
      const attempt = change['@removed'] === undefined ? 'linked' : 'unlinked'
      const target = await found(session, String(change['@odata.id']), navigation, find, attempt)
      if (attempt === 'linked') await linkItems(store, session, relation, id, target)
      else await unlinkItems(store, session, relation, id, target)
    }
  }
}

/** The `$id` of the item with a URL, which is to be linked or unlinked. */
export async function found(
  session: Session,
  url: string,
  { name, type }: NavigationProperty,
  find: FindItem,
  attempt: 'linked' | 'unlinked' = 'linked',
): Promise<number> {
  const target = await find(session, url, type)
  if (target !== undefined) return target
  throw new InvalidValue(name, `cannot be ${attempt}: there is no ${type.name} ${url.slice(0, 200)}`)
}

/** The `$id` of the items that a relation of an item leads to. */
export async function relatedIds(
  store: Store,
  session: Session,
  relation: Relation,
  source: number,
): Promise<readonly number[]> {
  const from = sql`${sql.id(relation.source.name)} AS s JOIN ${sql.id(relation.target.name)} AS t ON ${related(relation, column => sql`${sql.id('s', column)}`, 't')}`
  const where = sql`${sql.id('s', idColumn)} = ${store.engine.dialect.bind(source, 'integer')}`
  const query = sql`SELECT ${sql.id('t', idColumn)} FROM ${from} WHERE ${where}`
  return (await session.all(store.engine.compile(query))).map(([id]) => Number(id))
}

/** Removes the link to a target, or to all of them. */
export async function unlinkItems(
  store: Store,
  session: Session,
  relation: Relation,
  source: number,
  target: number | undefined,
): Promise<void> {
  const { bind } = store.engine.dialect
  const is = (column: string, id: number): Sql => sql`${sql.id(column)} = ${bind(id, 'integer')}`
  const run = async (statement: Sql): Promise<void> => void (await session.run(store.engine.compile(statement)))
  switch (relation.kind) {
    case 'reference':
    case 'referenced': {
      const isReference = relation.kind === 'reference'
      const table = isReference ? relation.source : relation.target
      const [own, other] = isReference ? [source, target] : [target, source]
      const where = allOf([
        ...(own === undefined ? [] : [is(idColumn, own)]),
        ...(other === undefined ? [] : [is(relation.column, other)]),
      ])
      return run(sql`UPDATE ${sql.id(table.name)} SET ${sql.id(relation.column)} = NULL WHERE ${where}`)
    }
    case 'link': {
      const where = allOf([is(relation.from, source), ...(target === undefined ? [] : [is(relation.to, target)])])
      return run(sql`DELETE FROM ${sql.id(relation.table)} WHERE ${where}`)
    }
    case 'constraint': {
      const dependent = relation.dependent === 'source' ? source : target
      const columns = relation.pairs.map(pair => pair[relation.dependent])
      if (!columns.some(({ property }) => property.nullable))
        throw new InvalidValue(relation.navigation.name, 'cannot be unlinked: the related item requires it')
      if (dependent !== undefined) await clearDependents(relation, [dependent], store, session)
      return
    }
    case 'contained':
      throw new TypeError(`${relation.navigation.name} contains its items. They cannot be unlinked.`)
  }
}

/**
 * Links two items by their `$id`. An existing link stays.
 *
 * @throws {InvalidValue} if the link would change the key of an item
 */
export async function linkItems(
  store: Store,
  session: Session,
  relation: Relation,
  source: number,
  target: number,
): Promise<void> {
  if (relation.kind === 'constraint' && changesKey(relation)) {
    const linked = await relatedIds(store, session, relation, source)
    if (linked.includes(target)) return
    throw new InvalidValue(relation.navigation.name, 'cannot be linked: the link would change the key of an item')
  }
  await session.run(linkStatement(store, relation), { source, target })
}

/** Whether a part of the key of the dependent item is that of the other one. */
function changesKey({ pairs, dependent, source, target }: Extract<Relation, { kind: 'constraint' }>): boolean {
  const { key } = (dependent === 'source' ? source : target).root
  return pairs.some(pair => key.includes(pair[dependent].property))
}

const linkStatements = new WeakMap<Store, Map<Relation['navigation'], Statement>>()

function linkStatement(store: Store, relation: Relation): Statement {
  const known = linkStatements.get(store) ?? new Map<Relation['navigation'], Statement>()
  linkStatements.set(store, known)
  const statement = known.get(relation.navigation) ?? store.engine.compile(linkSql(relation, store.engine.dialect))
  known.set(relation.navigation, statement)
  return statement
}

function linkSql(relation: Relation, { bind }: Dialect): Sql {
  const source = bind(new Placeholder('source'), 'integer')
  const target = bind(new Placeholder('target'), 'integer')
  const update = (table: string, assignments: Sql, id: Sql): Sql =>
    sql`UPDATE ${sql.id(table)} SET ${assignments} WHERE ${sql.id(idColumn)} = ${id}`
  switch (relation.kind) {
    case 'reference':
      return update(relation.source.name, sql`${sql.id(relation.column)} = ${target}`, source)
    case 'referenced':
      return update(relation.target.name, sql`${sql.id(relation.column)} = ${source}`, target)
    case 'link':
      return sql`INSERT INTO ${sql.id(relation.table)} (${sql.id(relation.from)}, ${sql.id(relation.to)})
        VALUES (${source}, ${target}) ON CONFLICT DO NOTHING`
    case 'constraint': {
      const isSource = relation.dependent === 'source'
      const [dependent, principal] = isSource ? [relation.source, relation.target] : [relation.target, relation.source]
      const [dependentId, principalId] = isSource ? [source, target] : [target, source]
      const assignments = relation.pairs.map(pair => {
        const [to, from] = isSource ? [pair.source, pair.target] : [pair.target, pair.source]
        const where = sql`p.${sql.id(idColumn)} = ${principalId}`
        return sql`${sql.id(to.name)} = (SELECT p.${sql.id(from.name)} FROM ${sql.id(principal.name)} AS p WHERE ${where})`
      })
      return update(dependent.name, sql.join(assignments), dependentId)
    }
    case 'contained':
      throw new TypeError(`${relation.navigation.name} contains its items. They cannot be linked.`)
  }
}

/**
 * Checks the required single relations of an item with a referential constraint. A target must exist, and is kept from being
 * deleted until the transaction ends.
 *
 * @throws {InvalidValue} naming the property without a target
 */
export async function requireReferences(store: Store, session: Session, type: EntityType, id: number): Promise<void> {
  for (const navigation of type.navigation) {
    if (!navigation.collection && !navigation.nullable && navigation.constraint.length > 0) {
      await requireReference(navigation, store, session, id)
    }
  }
}

async function requireReference(
  navigation: NavigationProperty,
  store: Store,
  session: Session,
  id: number,
): Promise<void> {
  const relation = store.schema.relationOf(navigation)
  const from = sql`${sql.id(relation.source.name)} AS s JOIN ${sql.id(relation.target.name)} AS t ON ${related(relation, column => sql`${sql.id('s', column)}`, 't')}`
  const { bind, forKeyShare: forReference } = store.engine.dialect
  const where = sql`${sql.id('s', idColumn)} = ${bind(id, 'integer')} ${forReference}`
  const rows = await session.all(store.engine.compile(sql`SELECT 1 FROM ${from} WHERE ${where}`))
  if (rows.length > 0) return
  const names = navigation.constraint.map(pair => pair.dependent)
  throw new InvalidValue(
    names[0] ?? navigation.name,
    `has no matching ${navigation.type.name}: none has this ${names.join(' and ')}`,
  )
}
