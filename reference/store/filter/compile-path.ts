import { sql } from 'kysely'
import type { Expression, PathExpression, PathSegment } from '../../../runtime/query/index.js'
import type { EntityType, Property, StructuredType, ValueType } from '../../../spec/language/index.js'
import type { JsonPlace, Sql } from '../dialect/dialect.js'
import { isDerived } from '../schema/is-derived.js'
import { storedType } from '../schema/storage.js'
import { typeColumn } from '../schema/store-schema.js'
import { never } from './combine.js'
import { countSql } from './compile-collection.js'
import { copied, type Frame, maxSubqueries, spend } from './frame.js'
import { geoTraits } from './geo-operand.js'
import type { Collection, EntityRow, Operand, Scalar, Structure } from './operand.js'
import { related } from './related.js'
import { fromJson } from './scalar-sql.js'
import { unsupported } from './unsupported.js'

/** What a path leads to. */
export function compilePath(path: PathExpression, frame: Frame): Operand {
  let operand = startOf(path, frame)
  let inner = frame
  if (path.segments.length > maxSubqueries) throw unsupported(frame.option, 'A path in it is too long for the store.')
  for (const segment of path.segments) {
    // Whether an item is of the type is asked beside each of its columns.
    if (segment.kind === 'cast') inner = copied(inner, 2)
    spend(inner)
    operand = follow(segment, operand, frame)
  }
  return operand
}

function startOf({ root }: PathExpression, frame: Frame): Operand {
  switch (root?.kind) {
    case 'it':
      if (frame.it === undefined) throw unsupported(frame.option, "'$it' is not supported inside $expand.")
      return frame.it
    case 'root':
      throw unsupported(frame.option, "Paths from '$root' are not supported here.")
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
      throw unsupported(frame.option, `A path with a ${segment.kind} in it is not supported here.`)
  }
}

function member(name: string, operand: Operand, frame: Frame): Operand {
  if (operand.kind === 'structure') {
    const property = operand.type.properties.find(candidate => candidate.name === name)
    if (property === undefined) throw unknownMember(name, operand.type, frame)
    const { json, path } = operand.place
    return inJson(property, { json, path: [...path, name] }, frame)
  }
  if (operand.kind !== 'row') throw unsupported(frame.option, `Nothing is known of '${name}' here.`)
  const property = operand.type.properties.find(candidate => candidate.name === name)
  if (property !== undefined) return ofColumn(property, operand, frame)
  const navigation = operand.type.navigation.find(candidate => candidate.name === name)
  if (navigation === undefined) throw unknownMember(name, operand.type, frame)
  const relation = frame.schema.relationOf(navigation)
  if (navigation.collection) {
    return { kind: 'targets', type: navigation.type, relation, source: operand.column, filters: [] }
  }
  const alias = frame.alias()
  const column = (wanted: string): Sql =>
    sql`(SELECT ${sql.id(alias, wanted)} FROM ${sql.id(relation.target.name)} AS ${sql.id(alias)} WHERE ${related(relation, operand.column, alias)})`
  return { kind: 'row', type: navigation.type, table: relation.target, column, nullable: true }
}

function unknownMember(name: string, type: StructuredType, frame: Frame): Error {
  return unsupported(frame.option, `'${name}' is not declared by ${type.name}, and cannot be filtered by.`)
}

function ofColumn(property: Property, row: EntityRow, frame: Frame): Operand {
  if (property.type.kind === 'primitive' && property.type.name === 'Stream') return { kind: 'null' }
  const { name, type } = row.table.columnOf(property)
  const column = row.column(name)
  if (type.kind !== 'json') return { kind: 'scalar', type, sql: column, nullable: row.nullable || property.nullable }
  return inJson(property, { json: frame.dialect.json(column), path: [] }, frame)
}

function inJson(property: Property, place: JsonPlace, frame: Frame): Operand {
  if (property.collection) return { kind: 'items', type: property.type, place, filters: [] }
  return valueInJson(property.type, place, frame, property.srid)
}

function valueInJson(type: ValueType, place: JsonPlace, { dialect }: Frame, srid?: number | 'variable'): Operand {
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
    sql: fromJson(storage => dialect.jsonValue(place, storage), stored, dialect),
    nullable: true,
  }
}

function cast(name: string, operand: Operand, frame: Frame): Operand {
  const unqualified = name.slice(name.lastIndexOf('.') + 1)
  if (operand.kind === 'targets') return { ...operand, type: frame.schema.typeOf(unqualified) }
  if (operand.kind !== 'row') throw unsupported(frame.option, `A cast to '${name}' is not supported here.`)
  return castRow(operand, frame.schema.typeOf(unqualified))
}

/** An item as one of a type; it is not there where it is none. */
export function castRow(row: EntityRow, type: EntityType): EntityRow {
  const isOfType = typeCondition(row.column(typeColumn), type, row.table.types)
  return {
    ...row,
    type,
    nullable: true,
    column: column => sql`CASE WHEN ${isOfType} THEN ${row.column(column)} END`,
  }
}

/** That an item is of a type, or of one derived from it. */
export function typeCondition(column: Sql, type: EntityType, types: readonly EntityType[]): Sql {
  const names = types.filter(candidate => isDerived(candidate, type)).map(candidate => sql.lit(candidate.name))
  const [only] = names
  if (only === undefined) return never
  return names.length === 1 ? sql`${column} = ${only}` : sql`${column} IN (${sql.join(names)})`
}

function count(filter: Expression | undefined, operand: Operand, frame: Frame): Operand {
  const collection = collectionOf(operand, '$count', frame)
  const wanted = filter === undefined ? collection : withFilter(filter, collection)
  return { kind: 'scalar', type: { kind: 'integer' }, sql: countSql(wanted, frame), nullable: false }
}

function filtered(predicate: Expression, operand: Operand, frame: Frame): Operand {
  return withFilter(predicate, collectionOf(operand, '$filter', frame))
}

function withFilter(filter: Expression, collection: Collection): Collection {
  return collection.kind === 'items' || collection.kind === 'targets'
    ? { ...collection, filters: [...collection.filters, filter] }
    : collection
}

/** An operand that has items. */
export function collectionOf(operand: Operand, where: string, frame: Frame): Collection {
  switch (operand.kind) {
    case 'items':
    case 'targets':
    case 'list':
    case 'parameter':
      return operand
    default:
      throw unsupported(frame.option, `'${where}' needs a collection.`)
  }
}

/** What one item of a collection in JSON is, where it stands as a row of `alias`. */
export function itemOperand(type: ValueType, alias: string, frame: Frame): Structure | Operand {
  const { dialect } = frame
  const stored = storedType(type)
  if (stored.kind === 'json')
    return valueInJson(type, { json: dialect.jsonItemPart(alias), path: [] }, frame, 'variable')
  const read = fromJson(storage => dialect.jsonItem(alias, storage), stored, dialect)
  return { kind: 'scalar', type: stored, sql: read, nullable: true }
}
