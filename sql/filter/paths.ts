import { sql } from 'kysely'
import type { Expression, LambdaExpression, PathExpression, PathSegment } from '../../runtime/query/index.js'
import {
  type ComplexType,
  derivesFrom,
  type EntityType,
  type EnumType,
  isStream,
  type Property,
  type StructuredType,
  type ValueType,
} from '../../spec/language/index.js'
import { allOf, always, anyOf, never, related } from '../conditions.js'
import type { Dialect, JsonLocation, Sql } from '../dialects/dialect.js'
import { unsupportedQuery } from '../query-faults.js'
import { idColumn, rowsOf, type Table, typeColumn } from '../schema/schema.js'
import { type Storage, type StoredType, storageOf, storedType } from '../schema/stored-type.js'
import {
  type Collection,
  conditionOf,
  copied,
  type EntityRow,
  type Frame,
  maxSubqueries,
  nested,
  type Operand,
  operandOf,
  type Scalar,
  type Structure,
  spend,
} from './frame.js'
import { geoTraits } from './literals.js'

/** The operand at the end of a path. */
export function compilePath(path: PathExpression, frame: Frame): Operand {
  let operand = startOf(path, frame)
  let inner = frame
  if (path.segments.length > maxSubqueries)
    throw unsupportedQuery(frame.option, 'A path in the expression is too long for the store.')
  for (const segment of path.segments) {
    // The SQL tests the type of an item for each of its columns.
    if (segment.kind === 'cast') inner = copied(inner, 2)
    spend(inner)
    operand = follow(segment, operand, frame)
  }
  return operand
}

function startOf({ root }: PathExpression, frame: Frame): Operand {
  switch (root?.kind) {
    case 'it':
      if (frame.it === undefined) throw unsupportedQuery(frame.option, "'$it' is not supported inside $expand.")
      return frame.it
    case 'root':
      throw unsupportedQuery(frame.option, "Paths from '$root' are not supported.")
    case 'variable':
      return frame.variables.get(root.name) ?? { kind: 'null' }
    default:
      return frame.current
  }
}

function follow(segment: PathSegment, operand: Operand, frame: Frame): Operand {
  switch (segment.kind) {
    case 'property':
      return member(segment.name, operand, frame)
    case 'cast':
      return cast(segment.type, operand, frame)
    case 'count':
      return count(segment.filter, operand, frame)
    case 'filter':
      return filtered(segment.predicate, operand, frame)
    default:
      throw unsupportedQuery(frame.option, `Paths with a ${segment.kind} segment are not supported.`)
  }
}

function member(name: string, operand: Operand, frame: Frame): Operand {
  if (operand.kind === 'structure') {
    const property = operand.type.properties.find(candidate => candidate.name === name)
    if (property === undefined) throw unknownMember(name, operand.type, frame)
    const { json, path } = operand.place
    return inJson(property, { json, path: [...path, name] }, frame)
  }
  if (operand.kind === 'members') {
    const found = operand.members.get(name)
    if (found === undefined) throw unsupportedQuery(frame.option, `The rows have no property '${name}'.`)
    return found
  }
  if (operand.kind !== 'row') throw unsupportedQuery(frame.option, `'${name}' is not a property of the value.`)
  const computed = operand.computed?.get(name)
  if (computed !== undefined) return operandOf(computed, nested({ ...frame, current: before(name, operand) }))
  const property = operand.type.properties.find(candidate => candidate.name === name)
  if (property !== undefined) return ofColumn(property, operand, frame)
  const navigation = operand.type.navigation.find(candidate => candidate.name === name)
  if (navigation === undefined) throw unknownMember(name, operand.type, frame)
  const relation = frame.schema.relationOf(navigation)
  if (navigation.collection) {
    return { kind: 'targets', type: navigation.type, relation, source: operand.column, filters: [] }
  }
  const alias = frame.alias()
  const column = (name: string): Sql =>
    sql`(SELECT ${sql.id(alias, name)} FROM ${rowsOf(relation.target)} AS ${sql.id(alias)} WHERE ${related(relation, operand.column, alias)})`
  return { kind: 'row', type: navigation.type, table: relation.target, column, nullable: true }
}

/** An item with the computed properties that precede one of them. */
function before(name: string, row: EntityRow): EntityRow {
  const all = [...(row.computed ?? [])]
  return {
    ...row,
    computed: new Map(
      all.slice(
        0,
        all.findIndex(([alias]) => alias === name),
      ),
    ),
  }
}

function unknownMember(name: string, type: StructuredType, frame: Frame): Error {
  return unsupportedQuery(
    frame.option,
    `'${name}' is not declared by ${type.name}. Filters support declared properties only.`,
  )
}

/** The value of a property of an item. */
export function ofColumn(property: Property, row: EntityRow, frame: Frame): Operand {
  if (isStream(property.type)) return { kind: 'null' }
  const { name, type, native } = row.table.columnOf(property)
  const column = row.column(name)
  const nullable = row.nullable || property.nullable
  if (type.kind === 'decimal') return { kind: 'scalar', type, ...frame.dialect.storedDecimal(column), nullable }
  if (type.kind !== 'json') {
    const operand: Scalar = { kind: 'scalar', type, sql: column, nullable }
    return native === undefined
      ? operand
      : { ...operand, native: { sql: row.column(native.name), storage: native.storage } }
  }
  return inJson(property, { json: frame.dialect.json(column), path: [] }, frame)
}

function inJson(property: Property, place: JsonLocation, frame: Frame): Operand {
  if (property.collection) return { kind: 'items', type: property.type, place, filters: [] }
  return valueInJson(property.type, place, frame, property.srid)
}

function valueInJson(type: ValueType, place: JsonLocation, { dialect }: Frame, srid?: number | 'variable'): Operand {
  if (type.kind === 'complexType') return { kind: 'structure', type, place }
  const stored = storedType(type)
  if (stored.kind === 'json') {
    const geo = geoTraits(type, srid)
    const operand: Scalar = { kind: 'scalar', type: stored, sql: dialect.jsonPart(place), nullable: true }
    return geo === undefined ? operand : { ...operand, geo }
  }
  return {
    kind: 'scalar',
    type: stored,
    sql: jsonScalar(storage => dialect.jsonValue(place, storage), stored, dialect),
    nullable: true,
    ...(stored.kind === 'decimal' && dialect.jsonDigits !== undefined ? { exact: dialect.jsonDigits(place) } : {}),
  }
}

function cast(name: string, operand: Operand, frame: Frame): Operand {
  const unqualified = name.slice(name.lastIndexOf('.') + 1)
  switch (operand.kind) {
    case 'null':
      return operand
    case 'targets':
      return { ...operand, type: frame.schema.typeOf(unqualified) }
    case 'row':
      return castRow(operand, frame.schema.typeOf(unqualified))
    case 'structure':
      return castStructure(operand, unqualified, frame)
    case 'items': {
      const type = frame.schema.typeNamed(unqualified)
      if (operand.type.kind !== 'complexType' || type?.kind !== 'complexType') return { kind: 'null' }
      return { ...operand, cast: type }
    }
    default:
      throw unsupportedQuery(frame.option, `A cast to '${name}' is not supported.`)
  }
}

/** A complex value as a value of a type, by its unqualified name; missing if it has another type. */
export function castStructure(value: Structure, name: string, frame: Frame): Structure | { readonly kind: 'null' } {
  const type = frame.schema.typeNamed(name)
  if (type?.kind !== 'complexType') return { kind: 'null' }
  const part = sql`CASE WHEN ${isOfComplexType(value, type, frame)} THEN ${frame.dialect.jsonPart(value.place)} END`
  return { kind: 'structure', type, place: { json: part, path: [] } }
}

/** A complex value names its type if that is not the declared type. */
function isOfComplexType({ place, type: declared }: Structure, type: ComplexType, { dialect, schema }: Frame): Sql {
  const named = dialect.jsonValue({ json: place.json, path: [...place.path, '@odata.type'] }, 'text')
  const names = schema.complexTypes
    .filter(candidate => derivesFrom(candidate, type))
    .map(({ qualifiedName }) => sql.lit(`#${qualifiedName}`))
  return sql`coalesce(${named}, ${sql.lit(`#${declared.qualifiedName}`)}) IN (${sql.join(names)})`
}

/** An item as an item of a type; missing if it has another type. */
export function castRow(row: EntityRow, type: EntityType): EntityRow {
  const isOfType = typeCondition(row.column(typeColumn), type, row.table.types)
  return {
    ...row,
    type,
    nullable: true,
    column: column => sql`CASE WHEN ${isOfType} THEN ${row.column(column)} END`,
  }
}

/** Whether an item has a type or one of its derived types. */
export function typeCondition(column: Sql, type: EntityType, types: readonly EntityType[]): Sql {
  const names = types.filter(candidate => derivesFrom(candidate, type)).map(candidate => sql.lit(candidate.name))
  const [only] = names
  if (only === undefined) return never
  return names.length === 1 ? sql`${column} = ${only}` : sql`${column} IN (${sql.join(names)})`
}

function count(filter: Expression | undefined, operand: Operand, frame: Frame): Operand {
  const collection = collectionOf(operand, '$count', frame)
  const counted = filter === undefined ? collection : withFilter(filter, collection)
  return { kind: 'scalar', type: { kind: 'integer' }, sql: countSql(counted, frame), nullable: false }
}

function filtered(predicate: Expression, operand: Operand, frame: Frame): Operand {
  return withFilter(predicate, collectionOf(operand, '$filter', frame))
}

function withFilter(filter: Expression, collection: Collection): Collection {
  return collection.kind === 'items' || collection.kind === 'targets'
    ? { ...collection, filters: [...collection.filters, filter] }
    : collection
}

/** Requires a collection. */
export function collectionOf(operand: Operand, where: string, frame: Frame): Collection {
  switch (operand.kind) {
    case 'items':
    case 'targets':
    case 'list':
    case 'parameter':
      return operand
    default:
      throw unsupportedQuery(frame.option, `'${where}' requires a collection.`)
  }
}

/** One item of a JSON collection that is a row named `alias`. */
function itemOperand(type: ValueType, alias: string, frame: Frame): Structure | Operand {
  const { dialect } = frame
  const stored = storedType(type)
  if (stored.kind === 'json')
    return valueInJson(type, { json: dialect.jsonItemPart(alias), path: [] }, frame, 'variable')
  const read = jsonScalar(storage => dialect.jsonItem(alias, storage), stored, dialect)
  const digits = stored.kind === 'decimal' ? dialect.jsonItemDigits?.(alias) : undefined
  return { kind: 'scalar', type: stored, sql: read, nullable: true, ...(digits === undefined ? {} : { exact: digits }) }
}

/** Converts a value inside JSON to its stored form. `read` returns the value as a storage class. */
export function jsonScalar(read: (storage: Storage) => Sql, { kind, enumType }: StoredType, dialect: Dialect): Sql {
  switch (kind) {
    case 'dateTimeOffset':
      return dialect.name === 'mysql' ? sql`REPLACE(${read('text')}, 'Z', '')` : sql`rtrim(${read('text')}, 'Z')`
    case 'duration':
      return dialect.durationSeconds(read('text'))
    case 'enum':
      return enumType === undefined ? read('text') : enumNumberSql(read('text'), enumType)
    default:
      return read(storageOf(kind))
  }
}

/** The number of the members that a text names, such as `fiction,history`. */
export function enumNumberSql(text: Sql, { members, flags }: EnumType): Sql {
  if (!flags) {
    const cases = members.map(({ name, value }) => sql`WHEN ${sql.lit(name)} THEN ${sql.lit(value)}`)
    return sql`CASE ${text} ${sql.join(cases, sql` `)} END`
  }
  const listed = sql`',' || ${text} || ','`
  const bits = members.map(
    ({ name, value }) =>
      sql`CASE WHEN replace(${listed}, ${sql.lit(`,${name},`)}, '') <> ${listed} THEN ${sql.lit(value)} ELSE 0 END`,
  )
  return sql`CASE WHEN ${text} IS NOT NULL THEN (${sql.join(bits, sql` | `)}) END`
}

/** The rows of a collection's items: the table, the condition that selects them, and the operand for a row. */
interface ItemRows {
  readonly from: Sql
  readonly where: Sql
  readonly item: Operand
  /** The order of the items; undefined if they have none. */
  readonly place: Sql | undefined
}

export function itemRows(collection: Extract<Collection, { kind: 'items' | 'targets' }>, frame: Frame): ItemRows {
  const alias = frame.alias()
  if (collection.kind === 'items') {
    const declared = itemOperand(collection.type, alias, frame)
    const { cast: type } = collection
    const isCast = declared.kind === 'structure' && type !== undefined
    const item = isCast ? { ...declared, type } : declared
    const ofType = isCast ? [isOfComplexType(declared, type, frame)] : []
    const where = [...ofType, ...filtersOf(collection.filters, item, frame)]
    const place = frame.dialect.jsonItemIndex(alias)
    return {
      from: frame.dialect.jsonItems(collection.place, alias),
      where: allOf([...where, ...timeLimit(place, frame)]),
      item,
      place,
    }
  }
  const { relation, type, source } = collection
  const { target } = relation
  const item = rowOperand(type, target, alias)
  const ofType =
    type === relation.navigation.type ? [] : [typeCondition(sql`${sql.id(alias, typeColumn)}`, type, target.types)]
  const where = [
    related(relation, source, alias),
    ...ofType,
    ...timeLimit(sql.id(alias, idColumn), frame),
    ...filtersOf(collection.filters, item, frame),
  ]
  return { from: sql`${rowsOf(target)} AS ${sql.id(alias)}`, where: allOf(where), item, place: undefined }
}

function timeLimit(row: Sql, { dialect }: Frame): readonly Sql[] {
  return dialect.withinTime === undefined ? [] : [dialect.withinTime(row)]
}

/** An item that is a row of the statement. */
export function rowOperand(type: EntityType, table: Table, alias: string): EntityRow {
  return { kind: 'row', type, table, column: column => sql`${sql.id(alias, column)}`, nullable: false }
}

function filtersOf(filters: readonly Expression[], item: Operand, frame: Frame): readonly Sql[] {
  return filters.map(filter => conditionOf(filter, { ...frame, current: item }))
}

/** The number of items in a collection. */
export function countSql(collection: Collection, frame: Frame): Sql {
  if (collection.kind === 'items' && collection.filters.length === 0 && collection.cast === undefined) {
    return sql`coalesce(${frame.dialect.jsonLength(collection.place)}, 0)`
  }
  if (collection.kind === 'list' || collection.kind === 'parameter') {
    throw unsupportedQuery(frame.option, "'$count' of a list is not supported.")
  }
  const { from, where } = itemRows(collection, frame)
  return sql`(SELECT count(*) FROM ${from} WHERE ${where})`
}

/** Whether `any` or `all` is true. They are never unknown: an item with an unknown condition does not satisfy it. */
export function lambdaCondition({ operator, collection, variable, predicate }: LambdaExpression, frame: Frame): Sql {
  const found = collectionOf(compilePath(collection, frame), operator, frame)
  if (found.kind === 'list' || found.kind === 'parameter') {
    throw unsupportedQuery(frame.option, `'${operator}' over a list is not supported.`)
  }
  const { from, where, item } = itemRows(found, frame)
  const some = (condition: Sql): Sql => {
    const rows = sql`FROM ${from} WHERE ${condition}`
    return found.kind === 'items' ? frame.dialect.jsonSome(rows) : sql`EXISTS (SELECT 1 ${rows})`
  }
  if (predicate === undefined || variable === undefined) return some(where)
  const inner = { ...frame, variables: new Map([...frame.variables, [variable, item]]), lambdas: frame.lambdas + 1 }
  if (inner.lambdas > maxSubqueries)
    throw unsupportedQuery(frame.option, 'Lambdas are nested too deeply for the store.')
  const holds = conditionOf(predicate, inner)
  return operator === 'any'
    ? some(sql`${where} AND ${holds}`)
    : sql`NOT ${some(sql`${where} AND (${holds}) IS NOT TRUE`)}`
}

/** Whether an item of a collection equals an operand. `equals` compares two operands. */
export function membershipCondition(
  left: Operand,
  collection: Collection,
  equals: (left: Operand, right: Operand) => Sql,
  frame: Frame,
): Sql {
  switch (collection.kind) {
    case 'list':
      return anyOf(collection.items.map(item => equals(left, operandOf(item, frame))))
    case 'items': {
      const { from, where, item } = itemRows(collection, frame)
      const same = where === always ? equals(left, item) : allOf([where, equals(left, item)])
      return frame.dialect.jsonSome(sql`FROM ${from} WHERE ${same}`)
    }
    default:
      throw unsupportedQuery(frame.option, "'in' requires a list of values.")
  }
}
