import type { ResourceSegment } from '../../runtime/server/index.js'
import { type ListResult, RequestFault, type ServiceTable } from '../../runtime/server/index.js'
import type { MappedItem } from '../mapping/mapping.js'
import { asReadCall, pageStart, pageToken, type ReadCall } from '../mapping/read-call.js'
import { unsupportedQuery } from '../query-faults.js'
import { responseLimits } from '../read/page-bytes.js'
import { storedTypeOfProperty } from '../schema/stored-type.js'
import { isObject } from '../values/codec.js'
import { related } from './conditions.js'
import { type Model, type PrismaMapping, type PrismaSchema, prismaSchema, type Relation } from './prisma-mapping.js'
import {
  behindKeys,
  type CollectionRead,
  collectionRead,
  keysOf,
  type PrismaModels,
  type PrismaRow,
  type ReadContext,
  relatedArguments,
  relatedRows,
} from './read.js'
import { keyValue } from './values.js'
import { always, and, type Where } from './where.js'

/** A client of Prisma, or a transaction. */
export type PrismaDatabase = object

/** Which items a query may read. */
export interface PrismaItems {
  /** A condition of Prisma on the items. */
  readonly where?: object
}

/** Reads that answer the calls of a generated server with Prisma. */
export interface PrismaQueries {
  /** A page of the collection of the path: `collection(prisma, call)`. */
  readonly collection: (prisma: PrismaDatabase, call: object, items?: PrismaItems) => Promise<ListResult<MappedItem>>
  /** The item of the path; null if there is none. */
  readonly item: (prisma: PrismaDatabase, call: object, items?: PrismaItems) => Promise<MappedItem | null>
  /** The number of items in the collection of the path. */
  readonly count: (prisma: PrismaDatabase, call: object, items?: PrismaItems) => Promise<number>
}

/**
 * Queries with the filters of Prisma, on PostgreSQL. What Prisma cannot express is answered with 501.
 *
 * @throws {TypeError} if the mapping does not fit the service
 */
export function prismaQueries<Context = unknown>(
  service: ServiceTable,
  mapping: PrismaMapping<Context>,
  { provider }: { readonly provider: 'postgresql' },
): PrismaQueries {
  if (provider !== 'postgresql')
    throw new TypeError(
      `Found the provider '${String(provider)}'. Only on postgresql do Prisma's filters find what OData asks for.`,
    )
  const schemaFor = prismaSchema(service, mapping)
  const { secret = '' } = mapping
  const prepared = (given: object, { where = always }: PrismaItems = {}) => {
    const call = asReadCall<Context>(given)
    const schema = schemaFor(call)
    const limits = responseLimits(service)
    const depth = call.route.query?.expand.maxDepth ?? 1
    const context: ReadContext = { schema, aliases: call.query.aliases ?? {}, depth, limits }
    const place = placeOf(call, schema)
    const read = collectionRead(place.model, call.query, and([place.where, { ...where }]), context)
    return { call, place, read, budget: { items: limits.expandedItems } }
  }
  return {
    collection: async (prisma, given, items) => {
      const client = modelsOf(prisma)
      const { call, place, read, budget } = prepared(given, items)
      const { query, pageSize, limit } = call
      const start = query.skiptoken === undefined ? undefined : pageStart(query.skiptoken, call, secret)
      const left = start === undefined ? limit : start.left
      const size = Math.min(pageSize ?? maxItems, left ?? maxItems, maxItems)
      const after = start === undefined ? [] : [behindKeys(read.keys, start.after)]
      const page = { ...read, where: and([read.where, ...after]) }
      const skip = start === undefined ? (query.skip ?? 0) : 0
      const { rows, total } = await readRows(
        client,
        place,
        page,
        { skip, take: size + 1 },
        query.count ? read.where : undefined,
      )
      const found = rows.slice(0, size).map(row => ({ row, entity: read.reader.decode(row) }))
      await read.reader.expand(found, client, budget)
      const last = found.at(-1)
      const remaining = left === undefined ? undefined : left - found.length
      const hasNext = rows.length > size && last !== undefined && (remaining === undefined || remaining > 0)
      return {
        value: found.map(({ entity }) => entity),
        ...(total === undefined ? {} : { count: total }),
        ...(hasNext
          ? { skipToken: pageToken({ after: keysOf(last.row, read.keys), left: remaining }, call, secret) }
          : {}),
      }
    },
    item: async (prisma, given, items) => {
      const client = modelsOf(prisma)
      const { place, read, budget } = prepared(given, items)
      const { rows } = await readRows(client, place, read, { skip: 0, take: 1 }, undefined)
      const [row] = rows
      if (row === undefined) return null
      const entity = read.reader.decode(row)
      await read.reader.expand([{ row, entity }], client, budget)
      return entity
    },
    count: async (prisma, given, items) => {
      const { place, read } = prepared(given, items)
      const { total } = await readRows(modelsOf(prisma), place, read, { skip: 0, take: 0 }, read.where)
      return total ?? 0
    },
  }
}

/** The most items of a page. Further pages follow. */
const maxItems = 5000

/** The items that a path addresses: those of a model, or those behind a relation of one item. */
interface Place {
  readonly model: Model
  readonly where: Where
  readonly parent?: { readonly place: Place; readonly relation: Relation }
}

function placeOf<Context>(call: ReadCall<Context>, schema: PrismaSchema): Place {
  let place: Place | undefined
  for (const segment of call.route.resource) place = followed(segment, place, call, schema)
  if (place === undefined) throw unsupportedQuery('query', `Prisma cannot read '${call.route.path}'.`)
  return place
}

function followed<Context>(
  segment: ResourceSegment,
  place: Place | undefined,
  { keys, principal, route }: ReadCall<Context>,
  schema: PrismaSchema,
): Place {
  if (segment.kind === 'entitySet') return { model: schema.modelOf(schema.typeNamed(segment.type)), where: always }
  if (place === undefined) throw unsupportedQuery('query', `Prisma cannot read '${route.path}'.`)
  const { model } = place
  if (segment.kind === 'key') {
    const equal = model.type.key.map((property, index): Where => {
      const field = model.fields.get(property.name)
      const given = keys[segment.variables[index] ?? property.name]
      const value = keyValue(typeof given === 'bigint' ? String(given) : given, storedTypeOfProperty(property))
      if (field === undefined || field.place?.length !== 0 || value === undefined)
        throw unsupportedQuery('query', `Prisma cannot find '${model.type.name}' by its key.`)
      return { [field.name]: value }
    })
    return { ...place, where: and([place.where, ...equal]) }
  }
  const navigation =
    segment.kind === 'navigation' ? model.type.navigation.find(({ name }) => name === segment.name) : undefined
  if (navigation === undefined || principal === undefined || !navigation.collection)
    throw unsupportedQuery('query', `Prisma cannot read '${route.path}'.`)
  return {
    model: schema.modelOf(navigation.type),
    where: always,
    parent: { place, relation: model.relationOf(navigation) },
  }
}

/**
 * Reads a page, and counts the items that meet a condition. What is behind a relation is read with the item that it belongs to.
 *
 * @throws {RequestFault} if there is no such item
 */
async function readRows(
  client: PrismaClientModels,
  { model, parent }: Place,
  read: CollectionRead,
  page: { readonly skip: number; readonly take: number },
  counted: Where | undefined,
): Promise<{ readonly rows: readonly PrismaRow[]; readonly total: number | undefined }> {
  const { where, orderBy, reader } = read
  if (parent === undefined) {
    const rows =
      page.take === 0 ? [] : await client.findMany(model.name, { where, orderBy, ...page, select: reader.select })
    return { rows, total: counted === undefined ? undefined : await client.count(model.name, counted) }
  }
  const { place, relation } = parent
  if (place.parent !== undefined) throw unsupportedQuery('query', 'Prisma reads one relation of a path.')
  const { field } = relation
  const [owner] = await client.findMany(place.model.name, {
    where: and([place.model.visible, place.where]),
    take: 1,
    select: {
      ...(page.take === 0 ? {} : { [field]: relatedArguments(relation, { ...read, ...page }) }),
      ...(counted === undefined ? {} : { _count: { select: { [field]: { where: related(relation, counted) } } } }),
    },
  })
  if (owner === undefined) throw new RequestFault('itemNotFound')
  const counts = owner['_count']
  return {
    rows: relatedRows(relation, owner[field]),
    total: isObject(counts) ? Number(counts[field]) : undefined,
  }
}

interface PrismaClientModels extends PrismaModels {
  readonly count: (model: string, where: Where) => Promise<number>
}

/** The models of a client, by their names. */
function modelsOf(prisma: PrismaDatabase): PrismaClientModels {
  const call = async (model: string, operation: string, args: object): Promise<unknown> => {
    const of: unknown = Reflect.get(prisma, model)
    const run: unknown = isObject(of) ? of[operation] : undefined
    if (typeof run !== 'function') throw new TypeError(`The client of Prisma has no model '${model}'.`)
    return Reflect.apply(run, of, [args])
  }
  return {
    findMany: async (model, args) => {
      const rows = await call(model, 'findMany', args)
      return Array.isArray(rows) ? rows.filter(isObject) : []
    },
    count: async (model, where) => Number(await call(model, 'count', { where })),
  }
}
