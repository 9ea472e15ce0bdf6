import { sql } from 'kysely'
import type { Expression, LambdaExpression } from '../../../runtime/query/index.js'
import type { EntityType } from '../../../spec/language/index.js'
import type { Sql } from '../dialect/dialect.js'
import { type Table, typeColumn } from '../schema/store-schema.js'
import { allOf, always, anyOf } from './combine.js'
import { isTrue } from './compile-condition.js'
import { compileOperand } from './compile-operand.js'
import { collectionOf, compilePath, itemOperand, typeCondition } from './compile-path.js'
import { type Frame, maxSubqueries } from './frame.js'
import type { Collection, EntityRow, Operand } from './operand.js'
import { related } from './related.js'
import { unsupported } from './unsupported.js'

/** The rows of a collection's items: what stands behind FROM, which of them are meant, and what each of them is. */
export interface ItemRows {
  readonly from: Sql
  readonly where: Sql
  readonly item: Operand
  /** What orders them; undefined: they have no order. */
  readonly place: Sql | undefined
}

/** The items of a collection as rows. */
export function itemRows(collection: Extract<Collection, { kind: 'items' | 'targets' }>, frame: Frame): ItemRows {
  const alias = frame.alias()
  if (collection.kind === 'items') {
    const item = itemOperand(collection.type, alias, frame)
    const where = filtersOf(collection.filters, item, frame)
    const place = frame.dialect.jsonItemPlace(alias)
    return { from: frame.dialect.jsonItems(collection.place, alias), where: allOf(where), item, place }
  }
  const { relation, type, source } = collection
  const { target } = relation
  const item = rowOperand(type, target, alias)
  const ofType =
    type === relation.navigation.type ? [] : [typeCondition(sql`${sql.id(alias, typeColumn)}`, type, target.types)]
  const where = [related(relation, source, alias), ...ofType, ...filtersOf(collection.filters, item, frame)]
  return { from: sql`${sql.id(target.name)} AS ${sql.id(alias)}`, where: allOf(where), item, place: undefined }
}

/** An item that is a row of the statement. */
export function rowOperand(type: EntityType, table: Table, alias: string): EntityRow {
  return { kind: 'row', type, table, column: column => sql`${sql.id(alias, column)}`, nullable: false }
}

function filtersOf(filters: readonly Expression[], item: Operand, frame: Frame): readonly Sql[] {
  return filters.map(filter => isTrue(filter, { ...frame, current: item }))
}

/** How many items a collection has. */
export function countSql(collection: Collection, frame: Frame): Sql {
  if (collection.kind === 'items' && collection.filters.length === 0) {
    return sql`coalesce(${frame.dialect.jsonLength(collection.place)}, 0)`
  }
  if (collection.kind === 'list' || collection.kind === 'parameter') {
    throw unsupported(frame.option, "'$count' of a list is not supported here.")
  }
  const { from, where } = itemRows(collection, frame)
  return sql`(SELECT count(*) FROM ${from} WHERE ${where})`
}

/** That `any` or `all` is true. Neither is ever unknown: an item whose condition is unknown does not meet it. */
export function lambdaCondition({ operator, collection, variable, predicate }: LambdaExpression, frame: Frame): Sql {
  const found = collectionOf(compilePath(collection, frame), operator, frame)
  if (found.kind === 'list' || found.kind === 'parameter') {
    throw unsupported(frame.option, `'${operator}' over a list is not supported here.`)
  }
  const { from, where, item } = itemRows(found, frame)
  if (predicate === undefined || variable === undefined) return sql`EXISTS (SELECT 1 FROM ${from} WHERE ${where})`
  const inner = { ...frame, variables: new Map([...frame.variables, [variable, item]]), lambdas: frame.lambdas + 1 }
  if (inner.lambdas > maxSubqueries) throw unsupported(frame.option, 'Lambdas are nested too deep for the store.')
  const holds = isTrue(predicate, inner)
  return operator === 'any'
    ? sql`EXISTS (SELECT 1 FROM ${from} WHERE ${where} AND ${holds})`
    : sql`NOT EXISTS (SELECT 1 FROM ${from} WHERE ${where} AND (${holds}) IS NOT TRUE)`
}

/** That one item of a collection equals an operand; `equals` compares two operands. */
export function containsCondition(
  left: Operand,
  collection: Collection,
  equals: (left: Operand, right: Operand) => Sql,
  frame: Frame,
): Sql {
  switch (collection.kind) {
    case 'list':
      return anyOf(collection.items.map(item => equals(left, compileOperand(item, frame))))
    case 'items': {
      const { from, where, item } = itemRows(collection, frame)
      return sql`EXISTS (SELECT 1 FROM ${from} WHERE ${where === always ? equals(left, item) : allOf([where, equals(left, item)])})`
    }
    default:
      throw unsupported(frame.option, "'in' needs a list of values here.")
  }
}
