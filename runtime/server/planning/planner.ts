import {
  type BindingScope,
  type BoundTransformations,
  bindQuery,
  type Capabilities,
  type Condition,
  checkCapabilities,
  childExpressions,
  constructsOf,
  defaultQueryLimits,
  type Expression,
  exceededLimits,
  expressionsIn,
  isRowType,
  namedRelations,
  type ParsedQuery,
  parseQueryString,
  type QueryLimits,
  type QueryOptions,
  QuerySyntaxError,
  type SelectItem,
  type TransformationParts,
  type TypeTable,
  UnknownQueryOptionError,
  unmetConditions,
} from '../../query/index.js'
import { boundedMap } from '../bounded-cache.js'
import { RequestFault } from '../errors.js'
import { requestedFormat } from '../http/content-negotiation.js'
import { noteTransformations } from '../list-rows.js'
import { selectedNames } from '../response/context-url.js'
import { projectionOf } from '../response/projection.js'
import { omitsKeys, type ProjectionRules, projectionRules } from '../response/returned-properties.js'
import { type Fault, type Route, type RouteKind, type ServiceTable, structuredType } from '../service-table.js'
import { createTemplatePlanner, parameterizeQuery, type TemplatePlanner } from './parameterized-query.js'
import { nextLinkOptions, noReplacements, type QueryPlan, relatedScopes } from './related-scopes.js'

/** Plans the query string of a request, or fails with a `RequestFault`. */
export type Planner = (query: string) => QueryPlan

/**
 * Creates the planner of an endpoint. It parses a query and checks it against the kind of endpoint, the limits, the type and
 * the endpoint's capabilities, in this order. The first failing check determines the error.
 */
export function createPlanner(route: Route, table: ServiceTable, transformations?: TransformationParts): Planner {
  const typeName = route.type ?? route.operation?.returns?.type
  const capabilities = route.query
  const above = capabilities === undefined ? 'error' : aboveMaximum(capabilities, table.choices['topAboveMaximum'])
  const checkedAgainst =
    capabilities === undefined
      ? undefined
      : { ...capabilities, top: { ...capabilities.top, above: above === 'error' ? above : ('clamp' as const) } }
  const enumNumbers = table.choices['enumNumbers'] === 'accepted'
  const { namespace, container, functions = {}, uncallable } = table
  const scope: BindingScope = { namespace, container, functions, enumNumbers }
  const rules = projectionRules(table.choices, route.kind === 'delta')
  const limits = queryLimitsOf(table.limits, capabilities)
  const maxLevels = capabilities?.expand.maxDepth ?? 1
  const scopesOf = relatedScopes(route, table)
  const stringRules: ProjectionRules = { ...rules, numbers: 'string' }

  const plan = (query: string): QueryPlan => {
    const { options: given, custom } = parseQuery(query, transformations)
    const { format, ...written } = given
    const options = withoutNestedSelect(written)
    rejectQuery('unsupportedQueryOption', inapplicableOptions(options, route.kind).map(inapplicable))
    const measured =
      options.expand === undefined || capabilities === undefined
        ? options
        : { ...options, expand: namedRelations(options.expand, capabilities, table.types, typeName ?? '') }
    rejectQuery('unsupportedQueryOption', exceededLimits(measured, limits, table.types, typeName, maxLevels))
    if (uncallable !== undefined) rejectQuery('unsupportedQueryOption', uncallableCalls(options, uncallable))
    const rows = transformedRows(options, typeName, table, scope, transformations)
    const { apply: _applied, ...others } = options
    const shown = {
      ...others,
      ...(rows.compute.length === 0 ? {} : { compute: [...rows.compute, ...(options.compute ?? [])] }),
    }
    if (rows.typeName !== undefined)
      rejectQuery('malformedQueryOption', bindQuery(shown, rows.types, rows.typeName, scope))
    rejectQuery('unsupportedQueryOption', rows.unsupported(checkedAgainst))
    const checked = rows.capabilities(checkedAgainst)
    rejectQuery('unsupportedQueryOption', unsupported(shown, checked, rows.typeName, rows.types))
    const named =
      options.expand === undefined || checked === undefined
        ? {}
        : { expand: namedRelations(options.expand, checked, rows.types, rows.typeName ?? '') }
    const effective = effectiveTop(
      { ...options, ...named },
      capabilities?.top.max,
      above,
      table.choices['topMeaning'] !== 'pageSize',
    )
    if (transformations !== undefined && options.apply !== undefined)
      noteTransformations(effective, transformations.evaluate)
    const isRows = rows.typeName !== undefined && isRowType(rows.typeName)
    const projected = { ...effective, ...shown, ...named }
    const project = (using: ProjectionRules) => projectionOf(projected, rows.typeName ?? '', rows.types, using)
    return {
      options: effective,
      template: { options: effective, replacements: noReplacements },
      conditions: conditionsOf(effective, capabilities, route),
      scopes: scopesOf(effective),
      project: project(rules),
      projectStrings: onDemand(() => project(stringRules)),
      omitsKeys: !isRows && omitsKeys(effective, typeName ?? '', table.types, rules),
      rows: isRows ? { types: rows.types, typeName: rows.typeName ?? '' } : undefined,
      selection:
        isRows && options.select === undefined ? rowNames(rows.typeName ?? '', rows.types) : selectedNames(effective),
      nextLinkOptions: nextLinkOptions(query),
      format: requestedFormat(format),
      custom,
    }
  }

  const plans = boundedMap<QueryPlan>(maxCachedPlans)
  const templates = boundedMap<TemplatePlanner | 'none'>(maxCachedPlans)
  const planAndCache = (query: string): QueryPlan => {
    const planned = plan(query)
    plans.set(query, planned)
    return planned
  }
  return query => {
    if (query.length > maxCachedQueryLength) return plan(query)
    const cached = plans.get(query)
    if (cached !== undefined) return cached
    const parts = parameterizeQuery(query)
    if (parts === undefined) return planAndCache(query)
    const template = templates.get(parts.form)
    if (template === 'none') return planAndCache(query)
    const fromTemplate = template?.(query, parts)
    if (fromTemplate !== undefined) return fromTemplate
    const planned = plan(query)
    if (template === undefined) templates.set(parts.form, createTemplatePlanner(planned, parts) ?? 'none')
    return planned
  }
}

/** The functions in a query that no query can call. */
function uncallableCalls(
  options: QueryOptions,
  uncallable: NonNullable<ServiceTable['uncallable']>,
): readonly QueryProblem[] {
  const found = new Map<string, string>()
  const visit = (expression: Expression): void => {
    const names =
      expression.kind === 'call'
        ? [expression.function]
        : expression.kind === 'path'
          ? expression.segments.flatMap(segment => (segment.kind === 'function' ? [segment.name] : []))
          : []
    for (const name of names) {
      const key = Object.hasOwn(uncallable, name) ? name : name.slice(name.lastIndexOf('.') + 1)
      if (name.includes('.') && Object.hasOwn(uncallable, key)) found.set(name, uncallable[key] ?? '')
    }
    childExpressions(expression).forEach(visit)
  }
  for (const expression of [...expressionsIn(options), ...Object.values(options.aliases ?? {})]) visit(expression)
  return [...found].map(([name, reason]) => ({
    option: '$filter',
    message: `Queries cannot call the function '${name}', because ${reason}.`,
  }))
}

/** Computes a value when it is needed first. */
function onDemand<Value>(compute: () => Value): () => Value {
  let known: Value | undefined
  return () => {
    known ??= compute()
    return known
  }
}

/** Limits of the plan cache of an endpoint: the number of plans, and the length of a query string. */
const maxCachedPlans = 256
const maxCachedQueryLength = 2048

/**
 * Parses a raw query string. Fails with `unsupportedQueryOption` for an unknown option, else with
 * `malformedQueryOption`.
 */
export function parseQuery(query: string, transformations?: TransformationParts): ParsedQuery {
  try {
    return parseQueryString(query, transformations?.parse)
  } catch (error) {
    if (error instanceof UnknownQueryOptionError) {
      const reason = `The query option '${error.unknown}' is unknown.`
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

const optionsOfCollections = [
  'apply',
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
 * The options that apply to each kind of endpoint.
 *
 * @see OData Protocol 4.01, 11.2.1
 */
const applicable: Readonly<Record<RouteKind, readonly (keyof QueryOptions)[]>> = {
  collection: optionsOfCollections,
  delta: [...optionsOfCollections, 'deltatoken'],
  item: ['select', 'expand', 'compute'],
  count: ['apply', 'filter', 'search'],
  call: optionsOfCollections,
  create: [],
  update: [],
  replace: [],
  delete: [],
  createMedia: [],
  readStream: [],
  replaceStream: [],
  deleteStream: [],
}

/** `$select=place($select=city)` as `$select=place/city`, also inside `$expand`. @see OData Protocol 4.01, 11.2.5.1 (select) */
function withoutNestedSelect(options: QueryOptions): QueryOptions {
  const { select, expand } = options
  return {
    ...options,
    ...(select === undefined ? {} : { select: select.flatMap(selectedPaths) }),
    ...(expand === undefined
      ? {}
      : {
          expand: expand.map(item =>
            item.options === undefined ? item : { ...item, options: withoutNestedSelect(item.options) },
          ),
        }),
  }
}

function selectedPaths(item: SelectItem): readonly SelectItem[] {
  const { select, ...others } = item.options ?? {}
  if (select === undefined || Object.keys(others).length > 0) return [item]
  return select.flatMap(selectedPaths).map(({ path, ...rest }) => {
    return path.at(-1) === '*' ? { ...rest, path: item.path } : { ...rest, path: [...item.path, ...path] }
  })
}

/** The options of a query that do not apply to a kind of endpoint, without the `$`. */
function inapplicableOptions(options: QueryOptions, kind: RouteKind): readonly string[] {
  const allowed: readonly string[] = applicable[kind]
  return Object.keys(options).filter(name => name !== 'format' && name !== 'aliases' && !allowed.includes(name))
}

function inapplicable(name: string): { readonly option: string; readonly message: string } {
  return { option: `$${name}`, message: `The query option '$${name}' does not apply to this path.` }
}

/** Options that need no support: parameter aliases, and the tokens in the service's own links. */
const linkOptions: ReadonlySet<string> = new Set(['aliases', 'skiptoken', 'deltatoken'])

function unsupported(
  options: QueryOptions,
  capabilities: Capabilities | undefined,
  typeName: string | undefined,
  types: TypeTable,
): readonly { readonly option: string; readonly message: string }[] {
  if (capabilities !== undefined && typeName !== undefined) {
    return checkCapabilities(options, capabilities, types, typeName)
  }
  return Object.keys(options)
    .filter(name => !linkOptions.has(name))
    .map(inapplicable)
}

/** What `$apply` gives: the items or rows that all other options of the query are about. */
interface PlannedRows extends Pick<BoundTransformations, 'types' | 'compute'> {
  readonly typeName: string | undefined
  readonly unsupported: (capabilities: Capabilities | undefined) => readonly QueryProblem[]
  /** What the endpoint declares for its items does not apply to rows. */
  readonly capabilities: (capabilities: Capabilities | undefined) => Capabilities | undefined
}

function transformedRows(
  options: QueryOptions,
  typeName: string | undefined,
  { types }: ServiceTable,
  scope: BindingScope,
  transformations: TransformationParts | undefined,
): PlannedRows {
  const none: PlannedRows = {
    types,
    typeName,
    compute: [],
    unsupported: () => [],
    capabilities: given => given,
  }
  if (options.apply === undefined || transformations === undefined) return none
  if (typeName === undefined) return { ...none, unsupported: () => [inapplicable('apply')] }
  const bound = transformations.bind(options, types, typeName, scope)
  rejectQuery('malformedQueryOption', bound.errors)
  const isRows = isRowType(bound.typeName)
  return {
    ...bound,
    unsupported: given =>
      given === undefined ? [inapplicable('apply')] : transformations.check(options, bound, given),
    capabilities: given => {
      if (given === undefined) return undefined
      const { filter, orderby } = given
      const compute = options.compute === undefined ? 'optional' : given.compute
      const own = { ...given, ...(compute === undefined ? {} : { compute }) }
      if (!isRows) return own
      const { only: _only, ...order } = orderby
      return { ...own, filter: { ...filter, properties: {} }, orderby: { ...order, properties: {} } }
    },
  }
}

/** The select list of the context URL of rows: `(country,customer(name),total)`. */
function rowNames(typeName: string, types: TypeTable): string {
  const info = structuredType(types, typeName)
  const names = Object.entries(info?.properties ?? {}).map(
    ([name, { type }]) => name + (isRowType(type) ? rowNames(type, types) : ''),
  )
  return `(${names.join(',')})`
}

/**
 * The limits of an endpoint. Those that the service sets always apply. A default applies unless the endpoint declares its own
 * maximum, which the capabilities check.
 */
function queryLimitsOf(given: Partial<QueryLimits>, capabilities: Capabilities | undefined): QueryLimits {
  const own = Number.POSITIVE_INFINITY
  return {
    ...defaultQueryLimits,
    ...(capabilities?.filter.maxNodes === undefined ? {} : { filterNodes: own }),
    ...(capabilities?.orderby.maxKeys === undefined ? {} : { orderbyItems: own }),
    ...given,
  }
}

type AboveMaximum = 'error' | 'clamp' | 'ignore'

/** What the endpoint declares, or what the service chose if the interface leaves it open. */
function aboveMaximum(capabilities: Capabilities, choice: string | number | undefined): AboveMaximum {
  if (capabilities.top.above !== 'open') return capabilities.top.above
  return choice === 'error' || choice === 'ignore' ? choice : 'clamp'
}

/** The options, with a `$top` above the maximum clamped or removed. If `$top` limits the whole result, it stays. */
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

/** All conditions on a query. Whether a request meets them depends on its headers. */
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

/** A problem of a query that the grammar accepts. */
interface QueryProblem {
  /** Including the `$`. */
  readonly option: string
  readonly message: string
}

export function rejectQuery(fault: Fault, problems: readonly QueryProblem[]): void {
  const [first] = problems
  if (first === undefined) return
  throw new RequestFault(fault, {
    target: first.option,
    values: { option: first.option, reason: first.message },
    reasons: problems.map(({ option, message }) => ({ target: option, message })),
  })
}
