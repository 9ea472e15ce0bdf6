import type { Literal, QueryOptions } from '../../runtime/query/index.js'
import type { AnyCall, QueryTemplate } from '../../runtime/server/index.js'
import { isObject } from '../json-object.js'
import { type LiteralPlaceholders, literalPlaceholders } from '../store/filter/frame.js'

/** Plans that a route keeps. */
const maxPlans = 256

/** Keeps the plans of the queries that a route was asked last, by their shape. */
export function planCache<Plan>(
  make: (options: QueryOptions, placeholders: LiteralPlaceholders) => Plan,
): (call: Pick<AnyCall, 'template'>) => Plan {
  const byOptions = new WeakMap<QueryOptions, { readonly plan: Plan }>()
  const byKey = new Map<string, Plan>()
  return ({ template: { options } }) => {
    const known = byOptions.get(options)
    if (known !== undefined) return known.plan
    const { key, literals } = queryShape(options)
    const plan = byKey.get(key) ?? make(options, literalPlaceholders(literals))
    if (!byKey.has(key) && byKey.size >= maxPlans) {
      const [oldest] = byKey.keys()
      if (oldest !== undefined) byKey.delete(oldest)
    }
    byKey.set(key, plan)
    byOptions.set(options, { plan })
    return plan
  }
}

/**
 * A query without the values that differ from call to call, such as the moment since which something is asked for: queries
 * of one shape are answered by the same statements, with other values.
 */
interface QueryShape {
  readonly key: string
  /** The key as a JSON string. */
  readonly quoted: string
  /** The literals that the shape leaves out, in the order of the query. */
  readonly literals: readonly Literal[]
}

/** Types whose literals are compared as they are; how others become SQL depends on their value. */
const parameterisedTypes: ReadonlySet<unknown> = new Set(['DateTimeOffset', 'Date', 'TimeOfDay', 'Guid'])

/** The shape of a query, whatever the page. */
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

/** What a query has in the places of the literals that its shape leaves out. */
export function literalValues({ options, replacements }: QueryTemplate): readonly unknown[] {
  return queryShape(options).literals.map(literal => (replacements.get(literal) ?? literal).value)
}

/** The core keeps the options of queries that come again. */
const shapes = new WeakMap<QueryOptions, QueryShape>()

function isParameterised(value: unknown): value is Literal {
  return isObject(value) && value['kind'] === 'literal' && parameterisedTypes.has(value['type'])
}
