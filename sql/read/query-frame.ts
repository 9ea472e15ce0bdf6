import type { Expression } from '../../runtime/query/index.js'
import type { EntityType } from '../../spec/language/index.js'
import { expressionCompiler } from '../filter/expressions.js'
import {
  aliasSource,
  type Frame,
  type LiteralPlaceholders,
  noLiteralPlaceholders,
  type ParameterType,
  sizeBudget,
} from '../filter/frame.js'
import { rowOperand } from '../filter/paths.js'
import type { QueryTarget } from '../query-target.js'

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
  { schema, engine }: QueryTarget,
  context: QueryContext,
  outermost: boolean,
): Frame {
  const current = rowOperand(type, schema.tableOf(type), alias)
  return {
    schema,
    dialect: engine.dialect,
    current,
    it: outermost ? current : undefined,
    variables: nothing,
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
