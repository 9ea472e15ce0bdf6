import {
  type BindingScope,
  bindQuery,
  type Capabilities,
  type Condition,
  checkCapabilities,
  constructsOf,
  type ParsedQuery,
  parseQueryOptions,
  type QueryOptions,
  QuerySyntaxError,
  UnknownQueryOptionError,
  unmetConditions,
} from '../../query/index.js'
import { boundedMap } from '../bounded-cache.js'
import { RequestFault } from '../errors.js'
import { requestedFormat } from '../http/content-negotiation.js'
import { selectedNames } from '../response/context-url.js'
import { projectionOf } from '../response/projection.js'
import { projectionRules } from '../response/returned-properties.js'
import type { Fault, Route, RouteKind, ServiceTable } from '../service-table.js'
import { createTemplatePlanner, parameterizeQuery, type TemplatePlanner } from './parameterized-query.js'
import { nextLinkOptions, noReplacements, type QueryPlan } from './query-plan.js'

/** Parses a raw query string. Fails with `unsupportedQueryOption` for an option unknown here, else `malformedQueryOption`. */
function parseQuery(query: string): ParsedQuery {
  try {
    return parseQueryOptions(query)
  } catch (error) {
    if (error instanceof UnknownQueryOptionError) {
      const reason = `The query option '${error.unknown}' is not known here.`
      throw new RequestFault('unsupportedQueryOption', {
        target: error.unknown,
        values: { option: error.unknown, reason },
      })
    }
    if (!(error instanceof QuerySyntaxError)) throw error
    const option = error.option ?? 'query string'
    throw new RequestFault('malformedQueryOption', { target: option, values: { option, reason: error.message } })
  }
}

/** One thing wrong with a query that the grammar accepts. */
interface QueryProblem {
  /** With its `$`. */
  readonly option: string
  readonly message: string
}

/** Fails with the fault when there are problems, naming all of them. */
function rejectQuery(fault: Fault, problems: readonly QueryProblem[]): void {
  const [first] = problems
  if (first === undefined) return
  throw new RequestFault(fault, {
    target: first.option,
    values: { option: first.option, reason: first.message },
    reasons: problems.map(({ option, message }) => ({ target: option, message })),
  })
}

const optionsOfCollections = [
  'filter',
  'orderby',
  'select',
  'expand',
  'search',
  'compute',
  'top',
  'skip',
  'count',
  'skiptoken',
] as const

/**
 * The options that make sense for each kind of endpoint, whatever it supports.
 *
 * @see OData Protocol 4.01, 11.2.1
 */
const applicable: Readonly<Record<RouteKind, readonly (keyof QueryOptions)[]>> = {
  collection: optionsOfCollections,
  delta: [...optionsOfCollections, 'deltatoken'],
  item: ['select', 'expand', 'compute'],
  count: ['filter', 'search'],
  call: optionsOfCollections,
  create: [],
  update: [],
  replace: [],
  delete: [],
}

/** The options of a query that do not apply to a kind of endpoint, without their `$`. */
function inapplicableOptions(options: QueryOptions, kind: RouteKind): readonly string[] {
  const allowed: readonly string[] = applicable[kind]
  return Object.keys(options).filter(name => name !== 'format' && name !== 'aliases' && !allowed.includes(name))
}

/** What happens to `$top` above the maximum: the interface may leave it open, the service decides. */
type AboveMaximum = 'error' | 'clamp' | 'ignore'

/** The service's answer to the open choice, where the endpoint does not say itself. */
function aboveMaximum(capabilities: Capabilities, choice: string | number | undefined): AboveMaximum {
  if (capabilities.top.above !== 'open') return capabilities.top.above
  return choice === 'error' || choice === 'ignore' ? choice : 'clamp'
}

/** The options with a `$top` above the maximum brought down or dropped; where it means a total, it is left alone. */
function effectiveTop(
  options: QueryOptions,
  max: number | undefined,
  above: AboveMaximum,
  meansTotal: boolean,
): QueryOptions {
  if (options.top === undefined || max === undefined || options.top <= max || meansTotal) return options
  const { top: _top, ...rest } = options
  return above === 'clamp' ? { ...rest, top: max } : rest
}

/** Plans the query string of a request. Fails with the fault that says what is wrong with it. */
export type Planner = (query: string) => QueryPlan

/** Plans that an endpoint keeps, and the longest query string whose plan is kept. */
const maxCachedPlans = 256
const maxCachedQueryLength = 2048

/**
 * Prepares an endpoint for its queries. Each is parsed, held against what its kind of endpoint knows, against the type,
 * and against what the endpoint declares; in this order, so that what is wrong first is named.
 */
export function createPlanner(route: Route, table: ServiceTable): Planner {
  const typeName = route.type ?? route.operation?.returns?.type
  const capabilities = route.query
  const above = capabilities === undefined ? 'error' : aboveMaximum(capabilities, table.choices['topAboveMaximum'])
  const checkedAgainst =
    capabilities === undefined
      ? undefined
      : { ...capabilities, top: { ...capabilities.top, above: above === 'error' ? above : ('clamp' as const) } }
  const scope: BindingScope = { namespace: table.namespace, container: table.container }
  const rules = projectionRules(table.choices, route.kind === 'delta')

  const plan = (query: string): QueryPlan => {
    const { options: given, custom } = parseQuery(query)
    const { format, ...options } = given
    rejectQuery('unsupportedQueryOption', inapplicableOptions(options, route.kind).map(inapplicable))
    if (typeName !== undefined) rejectQuery('malformedQueryOption', bindQuery(options, table.types, typeName, scope))
    rejectQuery('unsupportedQueryOption', unsupported(options, checkedAgainst, typeName, table))
    const effective = effectiveTop(options, capabilities?.top.max, above, table.choices['topMeaning'] !== 'pageSize')
    return {
      options: effective,
      template: { options: effective, replacements: noReplacements },
      conditions: conditionsOf(effective, capabilities, route),
      project: projectionOf(effective, typeName ?? '', table.types, rules),
      selection: selectedNames(options),
      nextLinkOptions: nextLinkOptions(query),
      format: requestedFormat(format),
      custom,
    }
  }

  const plans = boundedMap<QueryPlan>(maxCachedPlans)
  const templates = boundedMap<TemplatePlanner | 'none'>(maxCachedPlans)
  const kept = (query: string): QueryPlan => {
    const made = plan(query)
    plans.set(query, made)
    return made
  }
  return query => {
    if (query.length > maxCachedQueryLength) return plan(query)
    const same = plans.get(query)
    if (same !== undefined) return same
    const parts = parameterizeQuery(query)
    if (parts === undefined) return kept(query)
    const known = templates.get(parts.form)
    if (known === 'none') return kept(query)
    const planned = known?.(query, parts)
    if (planned !== undefined) return planned
    const made = plan(query)
    if (known === undefined) templates.set(parts.form, createTemplatePlanner(made, parts) ?? 'none')
    return made
  }
}

/** What is no question of support: aliases, and what the service's own links carry. */
const linkOptions: ReadonlySet<string> = new Set(['aliases', 'skiptoken', 'deltatoken'])

function inapplicable(name: string): { readonly option: string; readonly message: string } {
  return { option: `$${name}`, message: `The query option '$${name}' does not apply here.` }
}

function unsupported(
  options: QueryOptions,
  capabilities: Capabilities | undefined,
  typeName: string | undefined,
  table: ServiceTable,
): readonly { readonly option: string; readonly message: string }[] {
  if (capabilities !== undefined && typeName !== undefined) {
    return checkCapabilities(options, capabilities, table.types, typeName)
  }
  return Object.keys(options)
    .filter(name => !linkOptions.has(name))
    .map(inapplicable)
}

/** All conditions that a query may have to meet; whether it does, its headers decide each time. */
function conditionsOf(
  options: QueryOptions,
  capabilities: Capabilities | undefined,
  route: Route,
): readonly Condition[] {
  if (capabilities === undefined) return []
  const constructs = constructsOf(options)
  const all = route.kind === 'count' ? [...constructs, 'countPath'] : constructs
  return unmetConditions(all, capabilities, () => null)
}
