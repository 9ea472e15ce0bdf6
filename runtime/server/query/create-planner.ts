import type { QueryOptions } from '../../query/ast.js'
import { bindQuery } from '../../query/binding/bind-query.js'
import type { BindingScope } from '../../query/binding/binding-scope.js'
import type { Capabilities, Condition } from '../../query/capabilities/capabilities.js'
import { checkCapabilities } from '../../query/capabilities/check-capabilities.js'
import { constructsOf } from '../../query/capabilities/constructs-of.js'
import { unmetConditions } from '../../query/capabilities/unmet-conditions.js'
import { selectedNames } from '../response/context-url.js'
import { projectionOf } from '../response/projection.js'
import { projectionRules } from '../response/projection-rules.js'
import type { Route, ServiceTable } from '../service-table.js'
import { inapplicableOptions } from './applicable-options.js'
import { boundedMap } from './bounded-map.js'
import { aboveMaximum, effectiveTop } from './effective-top.js'
import { movingParts } from './moving-parts.js'
import { parseQuery } from './parse-query.js'
import type { QueryPlan } from './query-plan.js'
import { refuseQuery } from './query-problem.js'
import { ownLiterals } from './query-template.js'
import { repeatedOptions } from './repeated-options.js'
import { requestedFormat } from './requested-format.js'
import { type TemplatePlanner, templateOf } from './template-of.js'

/** Plans the query string of a request. Fails with the fault that says what is wrong with it. */
export type Planner = (query: string) => QueryPlan

/** Plans that an endpoint keeps, and the longest query string whose plan is kept. */
const maxPlans = 256
const maxKeptLength = 2048

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
    refuseQuery('unsupportedQueryOption', inapplicableOptions(options, route.kind).map(inapplicable))
    if (typeName !== undefined) refuseQuery('malformedQueryOption', bindQuery(options, table.types, typeName, scope))
    refuseQuery('unsupportedQueryOption', unsupported(options, checkedAgainst, typeName, table))
    const effective = effectiveTop(options, capabilities?.top.max, above, table.choices['topMeaning'] !== 'pageSize')
    return {
      options: effective,
      template: { options: effective, literals: ownLiterals },
      conditions: conditionsOf(effective, capabilities, route),
      project: projectionOf(effective, typeName ?? '', table.types, rules),
      selection: selectedNames(options),
      repeated: repeatedOptions(query),
      format: requestedFormat(format),
      custom,
    }
  }

  const plans = boundedMap<QueryPlan>(maxPlans)
  const templates = boundedMap<TemplatePlanner | 'none'>(maxPlans)
  const kept = (query: string): QueryPlan => {
    const made = plan(query)
    plans.set(query, made)
    return made
  }
  return query => {
    if (query.length > maxKeptLength) return plan(query)
    const same = plans.get(query)
    if (same !== undefined) return same
    const parts = movingParts(query)
    if (parts === undefined) return kept(query)
    const known = templates.get(parts.form)
    if (known === 'none') return kept(query)
    const planned = known?.(query, parts)
    if (planned !== undefined) return planned
    const made = plan(query)
    if (known === undefined) templates.set(parts.form, templateOf(made, parts) ?? 'none')
    return made
  }
}

/** What is no question of support: aliases, and what the service's own links carry. */
const givenByLinks: ReadonlySet<string> = new Set(['aliases', 'skiptoken', 'deltatoken'])

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
    .filter(name => !givenByLinks.has(name))
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
