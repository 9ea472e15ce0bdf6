import type { ExpandItem, Expression, OrderbyItem, QueryOptions, SelectItem } from '../../runtime/query/index.js'
import type { Property } from '../../spec/language/index.js'
import { malformedQuery, unsupportedQuery } from '../query-faults.js'
import type { ResponseLimits } from '../read/page-bytes.js'
import { defineMember, isObject } from '../values/codec.js'
import { related, truthOf } from './conditions.js'
import type { Field, Model, PrismaSchema, Relation } from './prisma-mapping.js'
import { decoded, keyValue, tokenValue } from './values.js'
import { always, and, behind, known, never, or, type Step, through, type Where } from './where.js'

/** The arguments of `findMany`, also inside `select`. */
export interface FindMany {
  readonly where: Where
  readonly orderBy?: readonly object[]
  readonly skip?: number
  readonly take?: number
  readonly select: object
}

/** A client of Prisma, or a transaction. */
export interface PrismaModels {
  readonly findMany: (model: string, args: FindMany) => Promise<readonly PrismaRow[]>
}

/** An item as Prisma returns it. */
export type PrismaRow = Readonly<Record<string, unknown>>
type Entity = Record<string, unknown>

/** What is the same for all parts of a query. */
export interface ReadContext {
  readonly schema: PrismaSchema
  readonly aliases: Readonly<Record<string, Expression>>
  /** The levels of `$expand` that are left. */
  readonly depth: number
  readonly limits: ResponseLimits
}

/** What may still be added to a response. */
export interface Budget {
  items: number
}

/** How items of a model are read. */
export interface ItemReader {
  readonly select: object
  readonly decode: (row: PrismaRow) => Entity
  /** Adds what `$expand` requests. */
  readonly expand: (items: readonly Item[], client: PrismaModels, budget: Budget) => Promise<void>
}

export interface Item {
  readonly row: PrismaRow
  readonly entity: Entity
}

/** Fields to select, as Prisma's `select`. Relations can have several of them. */
class Selection {
  readonly fields: Record<string, true | Selection | object> = {}

  add([name = '', ...rest]: readonly string[]): void {
    if (rest.length === 0) this.fields[name] ??= true
    else this.inside(name).add(rest)
  }

  inside(name: string): Selection {
    const known = this.fields[name]
    const inner = known instanceof Selection ? known : new Selection()
    this.fields[name] = inner
    return inner
  }

  build(): object {
    return Object.fromEntries(
      Object.entries(this.fields).map(([name, value]) => [
        name,
        value instanceof Selection ? { select: value.build() } : value,
      ]),
    )
  }
}

/** Prepares the reading of items with `$select` and `$expand`. Keys that an order needs are selected, too. */
export function itemReader(
  model: Model,
  options: QueryOptions,
  keys: readonly SortKey[],
  context: ReadContext,
): ItemReader {
  const selection = new Selection()
  const { type, version } = model
  const shown = [...model.fields.values()].filter(({ property }) => isSelected(property, type.key, options.select))
  for (const { place, name } of [...shown, ...keys.map(({ field }) => field)])
    if (place !== undefined) selection.add([...place, name])
  if (version !== undefined) selection.add([version])
  const expansions = (options.expand ?? []).flatMap(item => expansionsOf(item, model, selection, context))
  const tag = type.entityTag === 'weak' ? 'W/"' : '"'
  return {
    select: selection.build(),
    decode: row => {
      const entity: Entity = {}
      if (version !== undefined && type.entityTag !== 'none')
        entity['@odata.etag'] = `${tag}${String(tokenValue(row[version])).replaceAll(/[" ]/g, '_')}"`
      for (const field of shown) defineMember(entity, field.property.name, decodedField(row, field))
      return entity
    },
    expand: async (items, client, budget) => {
      if (items.length > 0) for (const expand of expansions) await expand(items, client, budget)
    },
  }
}

function isSelected(property: Property, key: readonly Property[], select: readonly SelectItem[] | undefined): boolean {
  if (key.includes(property)) return true
  if (select === undefined) return property.returned !== 'onSelect'
  return property.returned === 'always' || select.some(({ path }) => path[0] === '*' || path[0] === property.name)
}

function fieldValue(row: unknown, { place, name }: Field): unknown {
  if (place === undefined) return null
  const at = place.reduce<unknown>((inner, step) => (isObject(inner) ? inner[step] : null), row)
  return isObject(at) ? at[name] : null
}

function decodedField(row: PrismaRow, field: Field): unknown {
  const value = fieldValue(row, field)
  if (field.path === undefined) return decoded(value, field.type)
  return field.path.reduce<unknown>((inner, member) => (isObject(inner) ? inner[member] : null), value) ?? null
}

type Expand = (items: readonly Item[], client: PrismaModels, budget: Budget) => Promise<void>

function expansionsOf(
  { path, suffix, options = {} }: ExpandItem,
  model: Model,
  selection: Selection,
  context: ReadContext,
): readonly Expand[] {
  const [name, ...more] = path
  if (suffix !== undefined || more.length > 0 || name?.includes('.') === true)
    throw unsupportedQuery('$expand', 'Prisma expands relations only, without casts and paths.')
  const relations = model.type.navigation.filter(navigation => name === '*' || navigation.name === name)
  return relations.map(navigation => {
    const relation = model.relationOf(navigation)
    const { levels = 1, ...rest } = options
    const left = levels === 'max' ? context.depth : levels
    const again = left > 1 ? [{ path: [navigation.name], options: { ...options, levels: left - 1 } }] : []
    const nested = { ...rest, expand: [...(rest.expand ?? []), ...again] }
    const below = { ...context, depth: context.depth - 1 }
    return navigation.collection
      ? manyExpansion(relation, nested, selection, below)
      : oneExpansion(relation, nested, selection, below)
  })
}

/** Prisma reads related items with those that they belong to. */
function manyExpansion(relation: Relation, options: QueryOptions, selection: Selection, context: ReadContext): Expand {
  const { field, navigation } = relation
  const { name } = navigation
  const read = collectionRead(context.schema.modelOf(navigation.type), options, always, context)
  const skip = options.skip ?? 0
  const take = Math.min(options.top ?? Number.POSITIVE_INFINITY, context.limits.expandedItems + 1)
  const known = selection.fields[field]
  if (known !== undefined) throw unsupportedQuery('$expand', `'${name}' is expanded twice.`)
  selection.fields[field] = relatedArguments(relation, { ...read, skip, take })
  if (options.count === true) selection.inside('_count').fields[field] = { where: related(relation, read.where) }
  return async (items, client, budget) => {
    const all: Item[] = []
    for (const { row, entity } of items) {
      const found = relatedRows(relation, row[field]).map(each => ({ row: each, entity: read.reader.decode(each) }))
      all.push(...found)
      defineMember(
        entity,
        name,
        found.map(item => item.entity),
      )
      const counts = row['_count']
      if (options.count === true && isObject(counts)) entity[`${name}@odata.count`] = Number(counts[field])
    }
    spend(budget, all.length, context.limits)
    await read.reader.expand(all, client, budget)
  }
}

/** The arguments that read a collection behind the field of a relation. */
export function relatedArguments(
  { through: to }: Relation,
  { where, orderBy, skip, take, reader }: CollectionRead & { readonly skip: number; readonly take: number },
): object {
  const page = { skip, take }
  if (to === undefined) return { where, orderBy, ...page, select: reader.select }
  return {
    where: where === always ? always : { [to]: { is: where } },
    orderBy: orderBy.map(key => ({ [to]: key })),
    ...page,
    select: { [to]: { select: reader.select } },
  }
}

/** The related items behind the field of a relation. */
export function relatedRows({ through: to }: Relation, value: unknown): readonly PrismaRow[] {
  if (!Array.isArray(value)) return []
  return value.map((item: unknown) => (to === undefined || !isObject(item) ? item : item[to])).filter(isObject)
}

/** Reads single related items in a query of their own: Prisma has no condition for them elsewhere. */
function oneExpansion(relation: Relation, options: QueryOptions, selection: Selection, context: ReadContext): Expand {
  const { field, navigation } = relation
  const model = context.schema.modelOf(navigation.type)
  const id = idOf(model)
  if (relation.through !== undefined) throw unsupportedQuery('$expand', `'${navigation.name}' cannot be expanded.`)
  selection.inside(field).add([id.name])
  const read = collectionRead(model, options, always, context)
  return async (items, client, budget) => {
    const idIn = (row: PrismaRow): unknown => {
      const target = row[field]
      return isObject(target) ? target[id.name] : undefined
    }
    const ids = [...new Set(items.map(({ row }) => idIn(row)).filter(value => value !== undefined && value !== null))]
    const where = and([{ [id.name]: { in: ids } }, read.where])
    const rows = ids.length === 0 ? [] : await client.findMany(model.name, { where, select: read.reader.select })
    const found = rows.map(row => ({ row, entity: read.reader.decode(row) }))
    spend(budget, items.length, context.limits)
    await read.reader.expand(found, client, budget)
    const byId = new Map(found.map(({ row, entity }) => [row[id.name], entity]))
    for (const { row, entity } of items) defineMember(entity, navigation.name, byId.get(idIn(row)) ?? null)
  }
}

/** The field with the only key. */
function idOf({ type, fields }: Model): Field {
  const [key] = type.key
  const field = type.key.length === 1 && key !== undefined ? fields.get(key.name) : undefined
  if (field === undefined || field.place === undefined || field.place.length > 0 || field.type.kind === 'decimal')
    throw unsupportedQuery('$expand', `'${type.name}' has no key of one field.`)
  return field
}

function spend(budget: Budget, items: number, { expandedItems }: ResponseLimits): void {
  budget.items -= items
  if (budget.items >= 0) return
  const reason = `It adds more items to the response than the limit expandedItems, which is ${expandedItems}. Request a smaller page with '$top', or fewer related items.`
  throw unsupportedQuery('$expand', reason)
}

/** A query on a collection, without its page. */
export interface CollectionRead {
  readonly where: Where
  readonly orderBy: readonly object[]
  readonly keys: readonly SortKey[]
  readonly reader: ItemReader
}

/** Prepares a query on the items of a model that meet a condition. */
export function collectionRead(
  model: Model,
  options: QueryOptions,
  where: Where,
  context: ReadContext,
): CollectionRead {
  for (const [option, value] of [
    ['$search', options.search],
    ['$compute', options.compute],
    ['$apply', options.apply],
  ])
    if (value !== undefined) throw unsupportedQuery(String(option), `Prisma has no ${String(option)}.`)
  const { schema, aliases } = context
  const { filter } = options
  const truth = filter === undefined ? undefined : truthOf(filter, { schema, model, aliases, option: '$filter' })
  const keys = sortKeys(options.orderby ?? [], model, context)
  return {
    where: and([model.visible, where, truth?.isTrue ?? always]),
    orderBy: keys.map(orderOf),
    keys,
    reader: itemReader(model, options, keys, context),
  }
}

export interface SortKey {
  readonly field: Field
  readonly steps: readonly Step[]
  readonly direction: 'asc' | 'desc'
}

/** The sort keys of a total order: those of the query, then the key in the direction of the last one. */
function sortKeys(orderby: readonly OrderbyItem[], model: Model, { aliases }: ReadContext): readonly SortKey[] {
  const requested = orderby.map(({ expression, direction }): SortKey => {
    const path = expression.kind === 'alias' ? aliases[expression.name] : expression
    const [segment, ...more] = path?.kind === 'path' && path.root === undefined ? path.segments : []
    const field = segment?.kind === 'property' && more.length === 0 ? model.fields.get(segment.name) : undefined
    if (field === undefined || !isOrdered(field))
      throw unsupportedQuery('$orderby', 'Prisma orders by properties of the item only, and not by enumerations.')
    return { field, direction, steps: joins(field) }
  })
  const direction = requested.at(-1)?.direction ?? 'asc'
  const own = model.type.key.map((property): SortKey => {
    const field = model.fields.get(property.name)
    if (field === undefined || !isOrdered(field)) throw unsupportedQuery('$orderby', 'The key has no order in Prisma.')
    return { field, direction, steps: joins(field) }
  })
  return [...requested.filter(({ field }) => field.place !== undefined), ...own]
}

function joins({ place = [] }: Field): readonly Step[] {
  return place.map(relation => ({ relation, visible: always, nullable: true }))
}

/** Databases order the members of enumerations as they were declared or by name, not by number. */
function isOrdered({ type, property, path, place, nullable }: Field): boolean {
  if (property.collection || path !== undefined || ['enum', 'json', 'binary'].includes(type.kind)) return false
  // Prisma places nulls only if the field itself can be null.
  return place === undefined || place.length === 0 || nullable
}

/** Null is lowest. */
function orderOf({ field, steps, direction }: SortKey): object {
  const order = field.nullable ? { sort: direction, nulls: direction === 'asc' ? 'first' : 'last' } : direction
  return steps.reduceRight<object>((inner, { relation }) => ({ [relation]: inner }), { [field.name]: order })
}

/** The items behind one with these sort keys. */
export function behindKeys(keys: readonly SortKey[], values: readonly unknown[]): Where {
  const given = keys.map(({ field }, index) => keyValue(values[index], field.type))
  if (values.length !== keys.length || given.includes(undefined))
    throw malformedQuery('$skiptoken', 'This service did not issue the $skiptoken.')
  return or(
    keys.map((key, index) => {
      const equal = keys.slice(0, index).map((before, place) => equals(before, given[place]))
      return and([...equal, beyond(key, given[index])])
    }),
  )
}

function equals({ field, steps }: SortKey, value: unknown): Where {
  return value === null ? isNull(field, steps) : through(steps, { [field.name]: value })
}

function isNull(field: Field, steps: readonly Step[]): Where {
  const own = field.nullable ? known({ [field.name]: null }, { [field.name]: { not: null } }) : known(never, always)
  return behind(steps, own, known(always, never)).isTrue
}

function beyond({ field, steps, direction }: SortKey, value: unknown): Where {
  const { name, nullable } = field
  if (value === null) return direction === 'asc' ? through(steps, { [name]: { not: null } }) : never
  if (direction === 'asc') return through(steps, { [name]: { gt: value } })
  const lower = through(steps, { [name]: { lt: value } })
  return nullable || steps.length > 0 ? or([lower, isNull(field, steps)]) : lower
}

/** The sort keys of an item. */
export function keysOf(row: PrismaRow, keys: readonly SortKey[]): readonly unknown[] {
  return keys.map(({ field }) => tokenValue(fieldValue(row, field)))
}
