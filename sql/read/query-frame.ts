import { sql } from 'kysely'
import type { ComputeItem, Expression } from '../../runtime/query/index.js'
import type { EntityType } from '../../spec/language/index.js'
import type { PlaceholderValues, Session, Sql } from '../dialects/dialect.js'
import { compileOperand, expressionCompiler } from '../filter/expressions.js'
import {
  aliasSource,
  type Frame,
  type LiteralPlaceholders,
  noLiteralPlaceholders,
  type Operand,
  type ParameterType,
  sizeBudget,
} from '../filter/frame.js'
import { rowOperand } from '../filter/paths.js'
import { unsupportedQuery } from '../query-faults.js'
import type { QueryTarget } from '../query-target.js'
import { storageOf } from '../schema/stored-type.js'
import { defineMember, wireDecoderFor } from '../values/codec.js'
import type { RowMapper } from './stored-item.js'

/** What a query can refer to, besides its items. */
export interface QueryContext {
  readonly aliases: Readonly<Record<string, Expression>>
  readonly parameters: ReadonlyMap<string, ParameterType>
  /** The maximum depth of `$expand`: the meaning of `$levels=max`. */
  readonly expandDepth: number
  readonly literalPlaceholders: LiteralPlaceholders
}

const nothing: ReadonlyMap<string, never> = new Map<string, never>()

/** The context of a query that has no operation parameters. */
export function queryContext(
  aliases: Readonly<Record<string, Expression>> | undefined,
  literalPlaceholders: LiteralPlaceholders = noLiteralPlaceholders,
  expandDepth = 1,
): QueryContext {
  return { aliases: aliases ?? {}, parameters: nothing, literalPlaceholders, expandDepth }
}

/** The frame of a query over the rows named `alias`. `outermost`: the rows are `$it`. */
export function queryFrame(
  type: EntityType,
  alias: string,
  target: QueryTarget,
  context: QueryContext,
  outermost: boolean,
): Frame {
  const current = rowOperand(type, target.schema.tableOf(type), alias)
  return frameAt(current, target, context, outermost)
}

function frameAt(
  current: Operand,
  { schema, engine, table: { functions } }: QueryTarget,
  context: QueryContext,
  outermost: boolean,
): Frame {
  return {
    schema,
    dialect: engine.dialect,
    current,
    it: outermost ? current : undefined,
    variables: nothing,
    functions,
    ...context,
    option: '$filter',
    depth: 0,
    lambdas: 0,
    copies: 1,
    budget: sizeBudget(),
    alias: aliasSource('x'),
    compiler: expressionCompiler,
  }
}

/** Prepares reading the value of an expression that reads no item. */
export function valueReader(
  expression: Expression,
  target: QueryTarget,
  context: QueryContext,
): (session: Session, values: PlaceholderValues) => Promise<unknown> {
  const frame = frameAt({ kind: 'null' }, target, context, true)
  const { value, decode } = cellOf(compileOperand(expression, frame), frame)
  const statement = target.engine.compile(sql`SELECT ${value}`)
  return async (session, values) => decode((await session.all(statement, values))[0]?.[0])
}

/** The frame of the other options of a query with `$compute`: its items have the computed properties, too. */
export function computedFrame(frame: Frame, compute: readonly ComputeItem[] | undefined): Frame {
  if (compute === undefined || frame.current.kind !== 'row') return frame
  const computed = new Map(compute.map(({ alias, expression }) => [alias, expression]))
  const current = { ...frame.current, computed }
  return { ...frame, current, it: frame.it === frame.current ? current : frame.it }
}

/**
 * A mapper that also reads the computed properties. Each of them is an expression over the columns of its row.
 *
 * @see OData Protocol 4.01, 11.2.5.3 (System Query Option $compute)
 */
export function withComputed(shape: RowMapper, compute: readonly ComputeItem[] | undefined, frame: Frame): RowMapper {
  if (compute === undefined) return shape
  const cells = compute.map(({ alias, expression }) => {
    const operand = compileOperand(expression, { ...frame, option: '$compute' })
    return { alias, ...cellOf(operand, frame) }
  })
  return {
    ...shape,
    width: shape.width + cells.length,
    columns: (alias, dialect) => [...shape.columns(alias, dialect), ...cells.map(({ value }) => value)],
    decode: (row, start) => {
      const item = shape.decode(row, start)
      for (const [index, { alias, decode }] of cells.entries()) {
        defineMember(item.entity, alias, decode(row[start + shape.width + index]))
      }
      return item
    },
  }
}

/** The SQL of a value, and how to decode it. */
export function cellOf(operand: Operand, { dialect }: Frame): { value: Sql; decode: (stored: unknown) => unknown } {
  switch (operand.kind) {
    case 'null':
      return { value: sql`NULL`, decode: () => null }
    case 'scalar': {
      const { type, sortable } = operand
      const exact = operand.exact ?? (type.kind === 'decimal' ? sortable : undefined)
      const storage = type.kind === 'decimal' ? 'exact' : storageOf(type.kind)
      return { value: dialect.lossless(exact ?? operand.sql, storage), decode: wireDecoderFor(type) }
    }
    case 'structure':
      return { value: dialect.jsonPart(operand.place), decode: wireDecoderFor({ kind: 'json' }) }
    default:
      throw unsupportedQuery('$compute', 'A computed property is a single value or a complex value.')
  }
}
