import {
  type ExpandItem,
  isRowType,
  type PropertyInfo,
  type QueryOptions,
  type StructuredTypeInfo,
  typeKey,
} from '../../query/index.js'
import type { Exchange } from '../exchange.js'
import { keyProperties, qualifiedTypeName, type ServiceTable, structuredType, typeInfo } from '../service-table.js'
import { streamLinks } from '../streams/stream-control-information.js'
import { parseJsonText } from '../value/primitive-values.js'
import { keyLiteral } from './context-url.js'
import { type GivenRow, isRow, memberWriter, type SentRow } from './returned-properties.js'

/** Adds control information to an item: `given` is what the handler returned, `sent` what the response shows of it. */
type ItemAnnotator = (given: unknown, sent: unknown) => unknown

/**
 * The control information that a response needs beyond what every item has. With `metadata=full`, these are types, ids and
 * links. Otherwise it is the id of each item without its whole key, from which the caller cannot compute it. Undefined:
 * none.
 *
 * @see OData JSON Format 4.01, 3.1.1 (metadata=full) and 4.6.7 (id)
 */
export function itemAnnotator(exchange: Exchange): ItemAnnotator | undefined {
  const { representation, plan, table, compiled } = exchange
  const { route } = compiled
  const type = route.operation?.returns?.type ?? route.type
  if (representation.type !== 'json' || representation.metadata === 'none' || type === undefined) return undefined
  const isFull = representation.metadata === 'full'
  if (!isFull && !plan.omitsKeys) return undefined
  const context: Context = { table, serviceUrl: exchange.serviceUrl, isFull }
  const { rows } = plan
  if (rows !== undefined) {
    const inRows = { ...context, table: { ...table, types: rows.types } }
    return (_given, sent) => (isRow(sent) ? annotatedComplex(sent, rows.typeName, inRows) : sent)
  }
  const place = placeOf(exchange)
  return (given, sent) => {
    const row = parseJsonText(given)
    if (!isRow(row) || !isRow(sent)) return sent
    return structuredType(table.types, type)?.kind === 'entityType'
      ? annotatedEntity(row, sent, type, plan.options, place, context)
      : annotatedComplex(sent, type, context)
  }
}

interface Context {
  readonly table: ServiceTable
  readonly serviceUrl: string
  readonly isFull: boolean
}

/** The URL of an item that is not in an entity set. Undefined: it has none. */
type Place = (row: GivenRow, type: string) => string | undefined

/** Where the items of a response are: below the items that contain them, as in the context URL, or at the request's path. */
function placeOf({ compiled, table, serviceUrl, path, keys }: Exchange): Place {
  const { kind, resource, operation } = compiled.route
  if (operation !== undefined) return () => undefined
  const isList = kind === 'collection' || kind === 'delta' || kind === 'create' || kind === 'createMedia'
  const last = resource.at(-1)
  const isItemOfSet =
    /^(?:key|alternateKey)$/.test(last?.kind ?? '') || (last?.kind === 'navigation' && last.set !== undefined)
  const collection = compiled.context(keys, '').replace(/\/\$entity$/, '')
  const isUnbound = collection.startsWith('Collection(')
  return (row, type) => {
    const set = isUnbound ? entitySetFor(type, table, 'first') : collection
    const url = set === undefined ? serviceUrl + path : `${serviceUrl}/${set}`
    return isList || isItemOfSet ? withKey(url, row, type, table) : serviceUrl + path
  }
}

function withKey(url: string, row: GivenRow, type: string, { types }: ServiceTable): string | undefined {
  const key = keyProperties(types, type) ?? []
  if (key.length === 0 || key.some(({ name }) => row[name] === undefined || row[name] === null)) return undefined
  const literals = key.map(({ name, type: of }) => {
    const literal = keyLiteral(row[name], of)
    return key.length === 1 ? literal : `${name}=${literal}`
  })
  return `${url}(${literals.join(',')})`
}

const setsByTable = new WeakMap<ServiceTable, ReadonlyMap<string, readonly string[]>>()

/** The entity set whose items have a type and can be read by their keys: the only one, or the first of several. */
export function entitySetFor(type: string, table: ServiceTable, which: 'only' | 'first'): string | undefined {
  const sets = setsByTable.get(table) ?? readableSets(table)
  setsByTable.set(table, sets)
  for (let name: string | undefined = type; name !== undefined; name = structuredType(table.types, name)?.base) {
    const [set, ...others] = sets.get(name) ?? []
    if (set !== undefined && (which === 'first' || others.length === 0)) return set
  }
  return undefined
}

function readableSets({ container, routes }: ServiceTable): ReadonlyMap<string, readonly string[]> {
  const readable = new Set(
    routes.flatMap(({ kind, resource: [set, key, ...rest] }) => {
      return kind === 'item' && set?.kind === 'entitySet' && key?.kind === 'key' && rest.length === 0 ? [set.name] : []
    }),
  )
  const sets = new Map<string, readonly string[]>()
  for (const [name, { kind, type }] of Object.entries(container)) {
    if (kind === 'entitySet' && readable.has(name)) sets.set(type, [...(sets.get(type) ?? []), name])
  }
  return sets
}

function idOf(row: GivenRow, type: string, place: Place, { table, serviceUrl }: Context): string | undefined {
  const set = entitySetFor(type, table, 'only')
  return (set === undefined ? undefined : withKey(`${serviceUrl}/${set}`, row, type, table)) ?? place(row, type)
}

const ownControlInformation = new Set(['@odata.type', '@odata.etag'])

function annotatedEntity(
  row: GivenRow,
  sent: GivenRow,
  declared: string,
  query: QueryOptions,
  place: Place,
  context: Context,
): SentRow {
  const { table, isFull } = context
  const named = row['@odata.type']
  const typeName = typeof named === 'string' ? typeKey(named, table.types) : declared
  const type = structuredType(table.types, typeName)
  if (type === undefined) return { ...sent }
  const id = idOf(row, typeName, place, context)
  const result: SentRow = {}
  if (isFull) result['@odata.type'] = `#${qualifiedTypeName(typeName, table)}`
  else if (sent['@odata.type'] !== undefined) result['@odata.type'] = sent['@odata.type']
  if (id !== undefined && (isFull || type.key.some(name => !Object.hasOwn(sent, name)))) result['@odata.id'] = id
  if (sent['@odata.etag'] !== undefined) result['@odata.etag'] = sent['@odata.etag']
  if (isFull && id !== undefined) {
    result['@odata.editLink'] = id
    for (const name of Object.keys(type.navigation)) result[`${name}@odata.navigationLink`] = `${id}/${name}`
    Object.assign(result, streamLinks(typeName, id, table))
  }
  for (const [name, value] of Object.entries(sent)) {
    if (ownControlInformation.has(name)) continue
    const navigation = Object.hasOwn(type.navigation, name) ? type.navigation[name] : undefined
    if (navigation === undefined) {
      addMember(result, name, value, type, context)
      continue
    }
    const item = query.expand?.find(
      ({ path }) => path.filter(each => !each.includes('.')).at(-1) === name || path.at(-1) === '*',
    )
    const within: Place = (target, of) => {
      if (id === undefined) return undefined
      return navigation.collection === true ? withKey(`${id}/${name}`, target, of, table) : `${id}/${name}`
    }
    const inner = { query: nestedQuery(item), place: within }
    const given = row[name]
    const related = (target: unknown, shown: unknown): unknown =>
      isRow(target) && isRow(shown)
        ? annotatedEntity(target, shown, navigation.type, inner.query, inner.place, context)
        : shown
    const targets: readonly unknown[] = Array.isArray(given) ? given : []
    memberWriter(name)(
      result,
      Array.isArray(value) ? value.map((shown, index) => related(targets[index], shown)) : related(given, value),
    )
  }
  return result
}

/** The query of related items; with `$levels`, it is the same again. */
function nestedQuery(item: ExpandItem | undefined): QueryOptions {
  const { levels, ...options } = item?.options ?? {}
  return item === undefined || levels === undefined
    ? options
    : { ...options, expand: [...(options.expand ?? []), item] }
}

function annotatedComplex(value: GivenRow, declared: string, context: Context): SentRow {
  const { table } = context
  const named = value['@odata.type']
  const typeName = typeof named === 'string' ? typeKey(named, table.types) : declared
  const type = structuredType(table.types, typeName)
  if (type === undefined || !context.isFull) return { ...value }
  const result: SentRow = {}
  if (!isRowType(typeName)) result['@odata.type'] = `#${qualifiedTypeName(typeName, table)}`
  for (const [name, member] of Object.entries(value)) {
    if (name !== '@odata.type') addMember(result, name, member, type, context)
  }
  return result
}

/** Types that follow from the JSON value. @see OData JSON Format 4.01, 4.6.3 (type) */
const evident = new Set(['Edm.String', 'Edm.Boolean', 'Edm.Double'])

function addMember(result: SentRow, name: string, value: unknown, type: StructuredTypeInfo, context: Context): void {
  const info = Object.hasOwn(type.properties, name) ? type.properties[name] : undefined
  const write = memberWriter(name)
  if (!context.isFull || info === undefined || value === null) {
    write(result, value)
    return
  }
  const isComplex = structuredType(context.table.types, info.type) !== undefined
  if (info.collection === true ? !evident.has(info.type) : !isComplex && !evident.has(info.type)) {
    result[`${name}@odata.type`] = `#${typeText(info, context.table)}`
  }
  write(result, isComplex ? complexValue(parseJsonText(value), info, context) : value)
}

function complexValue(value: unknown, info: PropertyInfo, context: Context): unknown {
  if (Array.isArray(value)) return value.map(item => complexValue(item, info, context))
  return isRow(value) ? annotatedComplex(value, info.type, context) : value
}

/** `Int32`, `shop.genre`, `Collection(Date)`. */
function typeText({ type, collection }: PropertyInfo, table: ServiceTable): string {
  const name = typeInfo(table.types, type) === undefined ? type.replace('Edm.', '') : qualifiedTypeName(type, table)
  return collection === true ? `Collection(${name})` : name
}
