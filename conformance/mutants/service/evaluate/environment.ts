import type { Expression } from '../../../../runtime/query/index.js'
import type { Exchange } from '../exchange.js'
import type { Value } from '../value/value.js'
import type { Entity } from '../world/entity.js'

/** What an expression is computed in. */
export interface Environment {
  readonly at: Exchange
  /** The row. */
  readonly it: Value
  /** The item of a lambda, by its variable; `this` for the item of an expanded relation. */
  readonly variables: ReadonlyMap<string, Value>
  /** Parameter aliases of the query. */
  readonly aliases: Readonly<Record<string, Expression>>
  /** Arguments of an operation, which its meaning knows as aliases. */
  readonly parameters: ReadonlyMap<string, Value>
}

const nothing: ReadonlyMap<string, Value> = new Map()
const noAliases: Environment['aliases'] = Object.create(null)

/** The environment of a condition on one row. */
export function environmentOf(row: Entity, at: Exchange, parameters: Environment['parameters'] = nothing): Environment {
  return { at, it: objectOf(row), variables: nothing, aliases: at.options.aliases ?? noAliases, parameters }
}

export function objectOf(row: Entity): Value {
  return { kind: 'object', type: row.type, values: row.values, entity: row }
}
