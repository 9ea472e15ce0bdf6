import type { Literal, QueryOptions } from '../../runtime/query/index.js'
import type { QueryTemplate } from '../../runtime/server/index.js'
import { isObject } from '../store/value/json-object.js'

/**
 * A query without the values that differ from call to call, such as the moment since which something is asked for: queries
 * of one shape are answered by the same statements, with other values.
 */
export interface QueryShape {
  readonly key: string
  /** The key as a JSON string. */
  readonly quoted: string
  /** The literals that the shape leaves out, in the order of the query. */
  readonly moving: readonly Literal[]
}

/** Types whose literals are compared as they are; how others become SQL depends on their value. */
const movingTypes: ReadonlySet<unknown> = new Set(['DateTimeOffset', 'Date', 'TimeOfDay', 'Guid'])

/** The shape of a query, whatever the page. */
export function queryShape(options: QueryOptions): QueryShape {
  const known = shapes.get(options)
  if (known !== undefined) return known
  const { top, skip, count, skiptoken, deltatoken, format, ...rest } = options
  const moving: Literal[] = []
  const key = JSON.stringify(rest, (_name, value: unknown) => {
    if (!isMoving(value)) return value
    moving.push(value)
    return value.type
  })
  const shape = { key, quoted: JSON.stringify(key), moving }
  shapes.set(options, shape)
  return shape
}

/** What a query has in the places of the literals that its shape leaves out. */
export function movingValues({ options, literals }: QueryTemplate): readonly unknown[] {
  const { moving } = queryShape(options)
  return moving.map(literal => (literals.get(literal) ?? literal).value)
}

/** The core keeps the options of queries that come again. */
const shapes = new WeakMap<QueryOptions, QueryShape>()

function isMoving(value: unknown): value is Literal {
  return isObject(value) && value['kind'] === 'literal' && movingTypes.has(value['type'])
}
