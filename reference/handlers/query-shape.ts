import type { Literal, QueryOptions } from '../../runtime/query/index.js'
import { type AnyCall, boundedMap, type QueryTemplate } from '../../runtime/server/index.js'
import { isObject, type LiteralPlaceholders, literalPlaceholders } from '../../sql/index.js'

/** Plans that the cache of one route holds. */
const maxPlans = 256

/** Caches the query plans of a route by the shape of the query. */
export function planCache<Plan>(
  make: (options: QueryOptions, placeholders: LiteralPlaceholders) => Plan,
): (call: Pick<AnyCall, 'template'>) => Plan {
  const byOptions = new WeakMap<QueryOptions, { readonly plan: Plan }>()
  const byKey = boundedMap<Plan>(maxPlans)
  return ({ template: { options } }) => {
    const known = byOptions.get(options)
    if (known !== undefined) return known.plan
    const { key, literals } = queryShape(options)
    const plan = byKey.get(key) ?? make(options, literalPlaceholders(literals))
    byKey.set(key, plan)
    byOptions.set(options, { plan })
    return plan
  }
}

/**
 * A query without the values that change from call to call, such as the time in `modified gt 2024-01-01T00:00:00Z`. Queries
 * of the same shape share their statements and differ in the bound values.
 */
interface QueryShape {
  readonly key: string
  /** The key as a JSON string. */
  readonly quoted: string
  /** The literals that are not part of the shape, in query order. */
  readonly literals: readonly Literal[]
}

/** Types whose literals can be bound when the statement runs. For other types, the SQL depends on the value. */
const parameterisedTypes: ReadonlySet<unknown> = new Set(['DateTimeOffset', 'Date', 'TimeOfDay', 'Guid'])

/** The shape of a query. All pages of a query have the same shape. */
export function queryShape(options: QueryOptions): QueryShape {
  const known = shapes.get(options)
  if (known !== undefined) return known
  const { top, skip, count, skiptoken, deltatoken, format, ...rest } = options
  const literals: Literal[] = []
  const key = JSON.stringify(rest, (_name, value: unknown) => {
    if (!isParameterised(value)) return value
    literals.push(value)
    return value.type
  })
  const shape = { key, quoted: JSON.stringify(key), literals }
  shapes.set(options, shape)
  return shape
}

/** The values of the literals that are not part of the query's shape. */
export function literalValues({ options, replacements }: QueryTemplate): readonly unknown[] {
  return queryShape(options).literals.map(literal => (replacements.get(literal) ?? literal).value)
}

/** The server core caches the options of recent queries, so that they can serve as keys here. */
const shapes = new WeakMap<QueryOptions, QueryShape>()

function isParameterised(value: unknown): value is Literal {
  return isObject(value) && value['kind'] === 'literal' && parameterisedTypes.has(value['type'])
}
