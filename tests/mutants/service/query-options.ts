import {
  bindQuery,
  bindTransformations,
  type Capabilities,
  checkCapabilities,
  constructsOf,
  namedRelations,
  type OrderbyItem,
  parseQueryOptions,
  type QueryOptions,
  QuerySyntaxError,
  type SelectItem,
  transformations,
  UnknownQueryOptionError,
} from '../../../runtime/query/index.js'
import type { EntityType, QueryCapabilities, TopCapabilities } from '../../../spec/language/index.js'
import { queryFunctionTable } from '../../../spec/language/table/query-functions.js'
import type { EndpointContext, Rejection } from './behaviour.js'

/** The parsed query, or the reason for a rejection. */
type ParsedOptions =
  | { readonly kind: 'read'; readonly options: QueryOptions; readonly custom: ReadonlyMap<string, string> }
  | Rejection

export function parseOptions(context: EndpointContext): ParsedOptions {
  const { behaviour, service } = context
  const text = behaviour.readQuery(context.request.query, context)
  try {
    const { options, custom } = parseQueryOptions(withoutUnknownOptions(text, context))
    return { kind: 'read', options, custom: new Map(custom) }
  } catch (error) {
    if (error instanceof UnknownQueryOptionError) {
      return { kind: 'refused', error: service.faults.unsupportedQueryOption, message: error.message }
    }
    if (!(error instanceof QuerySyntaxError)) throw error
    return behaviour.rejectMalformed(error.message, context) ?? { kind: 'read', options: {}, custom: new Map() }
  }
}

const systemQueryOptions: ReadonlySet<string> = new Set([
  '$filter',
  '$orderby',
  '$select',
  '$expand',
  '$search',
  '$compute',
  '$apply',
  '$top',
  '$skip',
  '$count',
  '$format',
  '$skiptoken',
  '$deltatoken',
])

/** Drops unknown system query options if the service chose to ignore them. */
function withoutUnknownOptions(query: string, { behaviour }: EndpointContext): string {
  if (behaviour.choices['unknownOption'] !== 'ignored') return query
  const isKnown = (part: string): boolean => {
    const name = part.slice(0, part.includes('=') ? part.indexOf('=') : undefined).replace(/^%24/i, '$')
    return !name.startsWith('$') || systemQueryOptions.has(name.toLowerCase())
  }
  return query.split('&').filter(isKnown).join('&')
}

/** The effective options, or the reason for a rejection. */
type CheckedOptions = { readonly kind: 'checked'; readonly options: QueryOptions } | Rejection

/** Checks a query against the types, the capabilities of the endpoint and its required headers. */
export function checkOptions(
  given: QueryOptions,
  type: EntityType | undefined,
  context: EndpointContext,
): CheckedOptions {
  const { endpoint, behaviour, service, types } = context
  const query = 'query' in endpoint ? endpoint.query : undefined
  const { format: _, ...requested } = given
  if (type === undefined || query === undefined) {
    const [name] = Object.keys(requested).filter(each => !['aliases', 'skiptoken', 'deltatoken'].includes(each))
    if (name === undefined) return { kind: 'checked', options: requested }
    const message = `The query option '$${name}' does not apply here.`
    return behaviour.rejectUnsupported(message, context) ?? { kind: 'checked', options: {} }
  }
  const options = withoutUnknownProperties(requested, type, context)
  const scope = { namespace: service.namespace, functions: queryFunctionTable(service) }
  const { apply, ...rest } = options
  const bound = apply === undefined ? undefined : bindTransformations(options, types, type.name, scope)
  const [mismatch] = [
    ...(bound?.errors ?? []),
    ...bindQuery(rest, bound?.types ?? types, bound?.typeName ?? type.name, scope),
  ]
  if (mismatch !== undefined) {
    const rejection = behaviour.rejectMalformed(mismatch.message, context)
    return rejection ?? { kind: 'checked', options: {} }
  }
  const top = applyTopLimits(options, query.top, context)
  if (top.kind !== 'checked') return top
  const capabilities = capabilitiesOf(query, context)
  const [unsupported] =
    bound === undefined
      ? checkCapabilities(withoutSelectOptions(top.options), capabilities, types, type.name)
      : transformations.check(options, bound, capabilities)
  const rejection = unsupported === undefined ? undefined : behaviour.rejectUnsupported(unsupported.message, context)
  if (rejection !== undefined) return rejection
  return behaviour.reject(top.options, context) ?? checkRequiredHeaders(top.options, query, context)
}

/** Every endpoint with `$select` takes `$select` inside it. */
function withoutSelectOptions({ select, ...others }: QueryOptions): QueryOptions {
  if (select === undefined) return others
  const isSelect = ({ options = {} }: SelectItem): boolean => Object.keys(options).every(name => name === 'select')
  return { ...others, select: select.map(item => (isSelect(item) ? { path: item.path } : item)) }
}

/** The query with the relations that `*` stands for here. */
export function withNamedRelations(
  options: QueryOptions,
  type: EntityType | undefined,
  at: EndpointContext,
): QueryOptions {
  const query = 'query' in at.endpoint ? at.endpoint.query : undefined
  if (options.expand === undefined || type === undefined || query === undefined) return options
  return { ...options, expand: namedRelations(options.expand, capabilitiesOf(query, at), at.types, type.name) }
}

/** The declared capabilities, with a deeper `$expand` if the service chose so. */
function capabilitiesOf(query: Omit<Capabilities, 'requires'>, { behaviour }: EndpointContext): Capabilities {
  const { expand, top } = query
  const deeper = behaviour.choices['expandDepth'] === 'deeper' && expand.support !== 'none'
  return {
    ...query,
    requires: [],
    top: { ...top, above: 'clamp' },
    expand: deeper ? { ...expand, maxDepth: 4, nested: [...expand.nested, 'expand'] } : expand,
  }
}

/** Drops unknown properties from `$select` and `$orderby` if the service chose to ignore them. */
function withoutUnknownProperties(
  options: QueryOptions,
  type: EntityType,
  { behaviour }: EndpointContext,
): QueryOptions {
  if (behaviour.choices['unknownProperty'] !== 'ignored') return options
  const names = new Set([...type.properties, ...type.navigation].map(({ name }) => name))
  const isKnown = (name: string | undefined): boolean =>
    name === undefined || names.has(name) || name.includes('.') || name === '*'
  const select = options.select?.filter((item: SelectItem) => isKnown(item.path[0]))
  const orderby = options.orderby?.filter(({ expression }: OrderbyItem) => {
    const first = expression.kind === 'path' ? expression.segments[0] : undefined
    return isKnown(first?.kind === 'property' ? first.name : undefined)
  })
  const { select: _, orderby: __, ...others } = options
  return {
    ...others,
    ...(select === undefined || select.length === 0 ? {} : { select }),
    ...(orderby === undefined || orderby.length === 0 ? {} : { orderby }),
  }
}

/** Applies the limits of `$top`: a larger value is reduced, rejected or ignored. */
function applyTopLimits(options: QueryOptions, bounds: TopCapabilities, context: EndpointContext): CheckedOptions {
  const { behaviour, service } = context
  const { top, ...others } = options
  if (top === undefined || bounds.support === 'none') return { kind: 'checked', options }
  const rejected: CheckedOptions = {
    kind: 'refused',
    error: service.faults.unsupportedQueryOption,
    message: `'$top=${top}' is not supported here.`,
  }
  if (top === 0 && behaviour.choices['topZero'] === 'error') return rejected
  if (bounds.max === undefined || top <= bounds.max) return { kind: 'checked', options }
  const above = bounds.above === 'open' ? behaviour.choices['topAboveMaximum'] : bounds.above
  if (above === 'error') return rejected
  return { kind: 'checked', options: above === 'ignore' ? others : { ...others, top: bounds.max } }
}

/** Rejects a query without a header that its constructs require. */
function checkRequiredHeaders(
  options: QueryOptions,
  query: QueryCapabilities,
  context: EndpointContext,
): CheckedOptions {
  const { behaviour, endpoint } = context
  const used = new Set(constructsOf(options))
  if (endpoint.kind === 'count') used.add('countPath')
  let left = options
  for (const condition of query.requires) {
    const isTriggered = condition.when.some(all => all.every(construct => used.has(construct)))
    const given = behaviour.header(condition.header.name, context)
    if (!isTriggered || given?.trim().toLowerCase() === condition.header.value.toLowerCase()) continue
    const choice = condition.open === undefined ? 'rejected' : behaviour.choices[condition.open.name]
    if (choice === 'rejected') return { kind: 'refused', error: condition.otherwise }
    if (choice === 'ignored') {
      const { count: _, ...others } = left
      left = others
    }
  }
  return { kind: 'checked', options: left }
}
