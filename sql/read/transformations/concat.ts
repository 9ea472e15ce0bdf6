import { sql } from 'kysely'
import type { Sql } from '../../dialects/dialect.js'
import type { Operand } from '../../filter/frame.js'
import { ofColumn, rowOperand } from '../../filter/paths.js'
import { unsupportedQuery } from '../../query-faults.js'
import { type Storage, type StoredType, storageOf, storedProperties } from '../../schema/stored-type.js'
import { orderSql, type SortKey } from '../keyset-pagination.js'
import {
  type Compiler,
  encoded,
  frameOf,
  fromOf,
  keysOf,
  partColumn,
  type RowColumn,
  type RowOrder,
  type RowStage,
  rowStage,
  type Stage,
  scalarAt,
  textual,
} from './stage.js'

/** The columns with the number of the stage that a row comes from, and with its number there. */
const branchColumn = 'branch'
const placeColumn = 'place'

/** Items as rows with their properties. */
function asRows(stage: Stage, compiler: Compiler): RowStage {
  if (stage.kind === 'rows') return stage
  const { scope, frame } = compiler
  const alias = compiler.alias()
  const inner = frameOf(stage, alias, compiler)
  const properties = storedProperties(scope.type).filter(({ returned }) => returned !== 'onSelect')
  const cells = [
    ...properties.map(property => {
      const { name, type } = stage.table.columnOf(property)
      return { path: [property.name], value: textual(sql`${sql.id(alias, name)}`, type, frame.dialect.collated), type }
    }),
    ...stage.compute.map(({ alias: name }) => ({ path: [name], ...encoded(scalarAt([name], inner), inner) })),
  ]
  const rows = rowStage(
    cells,
    fromOf(stage, alias),
    compiler,
    [sql`${numberOf(stage, alias, compiler)} AS ${sql.id(placeColumn)}`],
    place => [hiddenKey(place, placeColumn)],
  )
  const columns = rows.columns.map((column, index) => {
    const property = properties[index]
    if (property === undefined || column.type.kind !== 'json') return column
    const operand = (value: Sql): Operand =>
      ofColumn(property, { ...rowOperand(scope.type, stage.table, alias), column: () => value }, frame)
    return { ...column, operand }
  })
  return { ...rows, columns, parts: [columns] }
}

function numberOf(stage: Stage, alias: string, compiler: Compiler): Sql {
  return sql`row_number() OVER (ORDER BY ${orderSql(keysOf(stage, alias, [], compiler), compiler.frame.dialect)})`
}

function hiddenKey(alias: string, column: string): SortKey {
  return {
    value: sql`${sql.id(alias, column)}`,
    direction: 'asc',
    storage: 'integer',
    nullable: false,
    placesNull: false,
  }
}

/** The rows of all stages, one after the other, each in its order. */
export function united(stages: readonly Stage[], compiler: Compiler): RowStage {
  const all = stages.map(stage => asRows(stage, compiler))
  const columns: RowColumn[] = []
  for (const { columns: own } of all) {
    for (const column of own) {
      const name = column.path.join('/')
      const known = columns.find(({ path }) => path.join('/') === name)
      if (known === undefined) columns.push({ ...column, column: `c${columns.length}` })
      else if (known.type.kind !== column.type.kind)
        throw unsupportedQuery('$apply', `'${name}' has different types in the parts of 'concat'.`)
    }
  }
  const places = new Map(columns.map(column => [column.path.join('/'), column]))
  const parts: (readonly RowColumn[])[] = []
  const selects = all.map((rows, index) => {
    const alias = compiler.alias()
    const listed = columns.map(({ path, column, type }) => {
      const own = rows.columns.find(candidate => candidate.path.join('/') === path.join('/'))
      const value = own === undefined ? nullOf(type, compiler) : sql`${sql.id(alias, own.column)}`
      return sql`${textual(value, type, compiler.frame.dialect.collated)} AS ${sql.id(column)}`
    })
    const offset = sql.lit(parts.length)
    for (const part of rows.parts) {
      parts.push(part.flatMap(({ path }) => places.get(path.join('/')) ?? []))
    }
    const part = sql`${sql.id(alias, partColumn)} + ${offset} AS ${sql.id(partColumn)}`
    const branch = sql`${sql.lit(index)} AS ${sql.id(branchColumn)}`
    const place = sql`${numberOf(rows, alias, compiler)} AS ${sql.id(placeColumn)}`
    return sql`SELECT ${sql.join([...listed, part, branch, place])} ${fromOf(rows, alias)}`
  })
  const order: RowOrder = alias => [hiddenKey(alias, branchColumn), hiddenKey(alias, placeColumn)]
  return { kind: 'rows', source: sql`(${sql.join(selects, sql` UNION ALL `)})`, columns, parts, order }
}

function nullOf({ kind }: StoredType, { frame }: Compiler): Sql {
  const storage: Storage = storageOf(kind)
  return frame.dialect.name === 'sqlite' ? sql`NULL` : frame.dialect.bind(null, storage)
}
