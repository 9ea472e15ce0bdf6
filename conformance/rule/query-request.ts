import type { Expression, QueryOptions, Transformation } from '../../runtime/query/index.js'
import type { Endpoint, PrimitiveTypeName, Property } from '../../spec/language/index.js'
import type { Site } from '../discover/site.js'
import type { TestRequest } from '../http/message.js'
import { primitiveOf } from '../lists/properties.js'
import type { Session } from '../session/session.js'

/** A GET of a site with these options, and with the headers that the spec requires for them. */
export function readRequest(
  site: Pick<Site, 'endpoint' | 'path'>,
  options: QueryOptions = {},
  headers: Readonly<Record<string, string>> = {},
): TestRequest {
  const demanded = conditionHeaders(site.endpoint, constructsOf(options))
  return { method: 'GET', path: site.path, options, headers: { ...demanded, ...headers } }
}

/**
 * The constructs of a query, named as in capabilities and conditions: `filter`, `filter.eq`, `filter.contains`,
 * `filter.any`, `filter:subject` (a property in it), `orderby`, `orderby:subject`, `select`, `select.nested` (options of a
 * property), `expand`, `expand:manager`, `expand.select` (a nested option), `top`, `skip`, `count`, `search`.
 */
export function constructsOf(options: QueryOptions): readonly string[] {
  const found = new Set<string>()
  if (options.filter !== undefined) {
    found.add('filter')
    filterConstructs(options.filter, found)
  }
  if (options.orderby !== undefined) {
    found.add('orderby')
    for (const { expression } of options.orderby) found.add(`orderby:${pathText(expression)}`)
    if (options.orderby.length > 1) found.add('orderby.keys')
  }
  if (options.select !== undefined) {
    found.add('select')
    if (options.select.some(item => item.options !== undefined)) found.add('select.nested')
  }
  if (options.expand !== undefined) {
    found.add('expand')
    for (const { path, options: nested } of options.expand) {
      found.add(`expand:${path.join('/')}`)
      for (const name of Object.keys(nested ?? {})) found.add(`expand.${name}`)
    }
    if (options.expand.length > 1) found.add('expand.relations')
  }
  if (options.apply !== undefined) {
    found.add('apply')
    applyConstructs(options.apply, found)
  }
  for (const name of ['top', 'skip', 'count', 'search', 'compute'] as const) {
    if (options[name] !== undefined) found.add(name)
  }
  return [...found]
}

function applyConstructs(apply: readonly Transformation[], found: Set<string>): void {
  for (const step of apply) {
    found.add(`apply.${step.kind}`)
    if (step.kind === 'groupby') {
      if (step.by.some(({ kind }) => kind === 'rollup')) found.add('apply.rollup')
      applyConstructs(step.apply, found)
    }
    if (step.kind === 'concat') for (const branch of step.branches) applyConstructs(branch, found)
  }
}

/** Inside a lambda, operators and functions are constructs of their own, too: some services support only simple predicates there. */
function filterConstructs(expression: Expression, found: Set<string>, isInLambda = false): void {
  const add = (name: string): void => {
    found.add(`filter.${name}`)
    if (isInLambda) found.add(`lambda.${name}`)
  }
  switch (expression.kind) {
    case 'unary':
      add(expression.operator)
      filterConstructs(expression.operand, found, isInLambda)
      break
    case 'binary':
      add(expression.operator)
      filterConstructs(expression.left, found, isInLambda)
      filterConstructs(expression.right, found, isInLambda)
      break
    case 'call':
      add(expression.function)
      for (const argument of expression.arguments) filterConstructs(argument, found, isInLambda)
      break
    case 'lambda':
      add(expression.operator)
      filterConstructs(expression.collection, found, isInLambda)
      if (expression.predicate !== undefined) filterConstructs(expression.predicate, found, true)
      break
    case 'list':
      for (const item of expression.items) filterConstructs(item, found, isInLambda)
      break
    case 'path':
      found.add(`filter:${pathText(expression)}`)
      break
    default:
      break
  }
}

function pathText(expression: Expression): string {
  if (expression.kind !== 'path') return expression.kind
  const steps = expression.segments.map(segment => (segment.kind === 'property' ? segment.name : `$${segment.kind}`))
  return expression.root?.kind === 'variable' ? ['*', ...steps].join('/') : steps.join('/')
}

/** The headers that an endpoint requires for these constructs, even if a service need not enforce them. */
export function conditionHeaders(endpoint: Endpoint, constructs: readonly string[]): Readonly<Record<string, string>> {
  if (!('query' in endpoint) || endpoint.query === undefined) return {}
  const used = new Set(endpoint.kind === 'count' ? [...constructs, 'countPath'] : constructs)
  const headers: Record<string, string> = {}
  for (const { when, header } of endpoint.query.requires) {
    if (when.some(all => all.every(construct => used.has(construct)))) headers[header.name] = header.value
  }
  return headers
}

/** Every header that some construct requires. With all of them, nothing is rejected for a missing header. */
export function allConditionHeaders(endpoint: Endpoint): Readonly<Record<string, string>> {
  if (!('query' in endpoint) || endpoint.query === undefined) return {}
  return Object.fromEntries(endpoint.query.requires.map(({ header }) => [header.name, header.value]))
}

/** A string literal of the query language. */
export function quoteString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/**
 * The single-valued properties of these primitive types that an endpoint allows in filters. Properties with values come
 * first, and keys last.
 */
export function filterableProperties(
  site: Site,
  session: Pick<Session, 'snapshot'>,
  ...types: readonly PrimitiveTypeName[]
): readonly Property[] {
  const { endpoint, type } = site
  if (type === undefined || !('query' in endpoint) || endpoint.query === undefined) return []
  const { filter } = endpoint.query
  if (filter.support === 'none') return []
  const rows = session.snapshot(site)?.rows ?? []
  const isShown = ({ name }: Property): boolean => rows.some(row => row[name] !== null && row[name] !== undefined)
  const found = type.properties.filter(property => {
    const primitive = primitiveOf(property.type)
    if (property.collection || primitive === undefined || !types.includes(primitive)) return false
    const exception = Object.hasOwn(filter.properties, property.name) ? filter.properties[property.name] : undefined
    return exception === undefined || (exception.support !== 'none' && exception.operators === undefined)
  })
  const rank = (property: Property): number => (isShown(property) ? 0 : 2) + (type.key.includes(property) ? 1 : 0)
  return found.sort((a, b) => rank(a) - rank(b))
}
