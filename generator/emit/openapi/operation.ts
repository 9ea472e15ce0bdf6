import {
  type CreateEndpoint,
  type Endpoint,
  type EntityType,
  isUpsert,
  type Operation,
  type QueryCapabilities,
  type Service,
  type StreamEndpoint,
  type Support,
  type UpdateEndpoint,
} from '../../../spec/language/index.js'
import { description, memberDescription, withArticle } from '../doc-comments.js'
import { type Json, type JsonObject, jsonObject } from '../emit-context.js'
import { valueSchema } from '../json-schema/structured-schema.js'
import { bodyUses, concreteTypes, derivedEntityTypes, derivedStructuredTypes } from '../types/value-types.js'
import { headerParameters, pathParameters } from './parameters.js'
import { errorResponses, streamContent, successResponses } from './responses.js'
import { schemasPrefix, shapeReference } from './schemas.js'

/** One method on one path. @see OpenAPI 3.1, 4.8.10 (Operation Object) */
export function operationObject(endpoint: Endpoint, service: Service): JsonObject {
  const parameters = [...pathParameters(endpoint), ...queryParameters(endpoint), ...headerParameters(endpoint, service)]
  const notes = endpoint.support === 'optional' ? ['An implementation may reject it with an error.'] : []
  return jsonObject([
    ['operationId', endpoint.name],
    ['tags', [tagOf(endpoint)]],
    ['summary', summary(endpoint)],
    ['description', description(endpoint.kind === 'call' ? { ...endpoint.operation, ...endpoint } : endpoint, notes)],
    ['parameters', parameters.length === 0 ? undefined : parameters],
    ['requestBody', requestBody(endpoint, service)],
    ['responses', { ...successResponses(endpoint, service), ...errorResponses(endpoint, service) }],
    ['security', security(endpoint, service)],
  ])
}

/** Where the path begins. */
function tagOf({ resolved, name }: Endpoint): string {
  const [first] = resolved
  return first?.kind === 'entitySet' || first?.kind === 'singleton' ? first.element.name : name
}

function summary(endpoint: Endpoint): string {
  const collection = endpoint.path.template
    .split('/')
    .findLast(segment => /^[^{$(]+$/.test(segment) && segment !== 'delta')
  switch (endpoint.kind) {
    case 'collection':
      return `Read a page of ${collection}`
    case 'count':
      return `Count ${collection}`
    case 'delta':
      return `Read changes of ${collection}`
    case 'item':
      return `Read ${withArticle(endpoint.type.name)}`
    case 'create':
      return `Create ${withArticle(endpoint.type.name)}`
    case 'update':
      return `Change ${withArticle(endpoint.type.name)}`
    case 'replace':
      return `Replace ${withArticle(endpoint.type.name)}`
    case 'delete':
      return `Delete ${withArticle(endpoint.type.name)}`
    case 'createMedia':
      return `Create ${withArticle(endpoint.type.name)} from its media stream`
    case 'readStream':
      return `Read ${streamText(endpoint)}`
    case 'replaceStream':
      return `Replace ${streamText(endpoint)}`
    case 'deleteStream':
      return `Delete ${streamText(endpoint)}`
    case 'call':
      return `Call ${endpoint.operation.name}`
  }
}

const streamText = ({ type, property }: StreamEndpoint): string =>
  property === undefined ? `the media stream of ${withArticle(type.name)}` : `the stream ${property.name}`

/** A caller needs one of the scopes, so each is an alternative. */
export function security(endpoint: Endpoint, { authentication }: Service): Json | undefined {
  if (authentication.scheme === 'none') return undefined
  return endpoint.scopes.length === 0 ? [{ bearer: [] }] : endpoint.scopes.map(scope => ({ bearer: [scope] }))
}

/** The body of a request, for methods that have one. */
function requestBody(endpoint: Endpoint, service: Service): Json | undefined {
  switch (endpoint.kind) {
    case 'create':
    case 'update':
    case 'replace':
      return jsonBody(itemSchema(endpoint, service))
    case 'createMedia':
    case 'replaceStream':
      return { required: true, content: streamContent(endpoint) }
    case 'call':
      if (endpoint.operation.kind !== 'action' || endpoint.operation.parameters.length === 0) return undefined
      return jsonBody(parametersSchema(endpoint.operation, service))
    default:
      return undefined
  }
}

/** An item of the endpoint's type, or of one that derives from it. */
function itemSchema(endpoint: CreateEndpoint | UpdateEndpoint, service: Service): Json {
  const types = concreteTypes(endpoint.type, derivedEntityTypes(service))
  const creates = endpoint.kind !== 'create' && isUpsert(endpoint, service)
  const [first = {}, ...others] = [endpoint.kind, ...(creates ? (['create'] as const) : [])].flatMap(kind =>
    types.map(type => shapeReference(type, bodyUses[kind])),
  )
  return others.length === 0 ? first : { anyOf: [first, ...others] }
}

function jsonBody(schema: Json): JsonObject {
  return { required: true, content: { 'application/json': { schema } } }
}

function parametersSchema({ parameters }: Operation, service: Service): JsonObject {
  const required = parameters.filter(({ optional }) => !optional).map(({ name }) => name)
  const scope = { prefix: schemasPrefix, geoTypes: new Set<string>(), derived: derivedStructuredTypes(service) }
  return jsonObject([
    ['type', 'object'],
    [
      'properties',
      jsonObject(
        parameters.map(each => [
          each.name,
          jsonObject([...Object.entries(valueSchema(each, 'create', scope)), ['description', memberDescription(each)]]),
        ]),
      ),
    ],
    ['required', required.length === 0 ? undefined : required],
  ])
}

/** The query options that an endpoint supports, and the parameters of a function that are in the query. */
function queryParameters(endpoint: Endpoint): readonly JsonObject[] {
  const query = 'query' in endpoint ? endpoint.query : undefined
  return [
    ...(query === undefined ? [] : optionParameters(query, itemType(endpoint))),
    ...(endpoint.kind === 'call' && endpoint.method === 'GET' ? argumentParameters(endpoint) : []),
  ]
}

function itemType(endpoint: Endpoint): EntityType | undefined {
  if (endpoint.kind !== 'call') return endpoint.type
  const type = endpoint.operation.returns?.type
  return type?.kind === 'entityType' ? type : undefined
}

function optionParameters(query: QueryCapabilities, type: EntityType | undefined): readonly JsonObject[] {
  const { filter, orderby, expand, top, search } = query
  const names: Json = { type: 'array', items: { type: 'string' } }
  return [
    ...option('$select', query.select, selectDescription(type), names),
    ...option('$filter', filter.support, filterDescription(filter), { type: 'string' }),
    ...option('$orderby', orderby.support, orderbyDescription(orderby), names),
    ...option('$expand', expand.support, expandDescription(expand, type), { type: 'string' }),
    ...option('$top', top.support, topDescription(top), topSchema(top)),
    ...option('$skip', query.skip, 'The number of items to skip.', { type: 'integer', minimum: 0 }),
    ...option('$count', query.count, 'Whether the response has @odata.count.', { type: 'boolean' }),
    ...option(
      '$compute',
      query.compute ?? 'none',
      'Properties to compute for each item: price mul quantity as total.',
      { type: 'string' },
    ),
    ...option('$apply', query.apply?.support ?? 'none', applyDescription(query), { type: 'string' }),
    ...option('$search', search.support, searchDescription(search), { type: 'string' }),
  ]
}

function applyDescription({ apply }: QueryCapabilities): string {
  return `Transformations: groupby((genre),aggregate(price with sum as total)). Supported: ${apply?.transformations.join(', ')}.`
}

function option(name: string, support: Support, about: string, schema: Json): readonly JsonObject[] {
  if (support === 'none') return []
  const isList = typeof schema === 'object' && schema !== null && 'items' in schema
  return [
    jsonObject([
      ['name', name],
      ['in', 'query'],
      ['description', support === 'optional' ? `${about} An implementation may reject it with an error.` : about],
      ['schema', schema],
      ['style', isList ? 'form' : undefined],
      ['explode', isList ? false : undefined],
    ]),
  ]
}

function topDescription({ default: byDefault, max, above }: QueryCapabilities['top']): string {
  const page = byDefault === undefined ? '' : ` Without it, a page has ${byDefault}.`
  const larger = above === 'error' ? '' : ' A larger number returns at most that many items, or an error.'
  const most = max === undefined ? '' : ` At most ${max}.${larger}`
  return `The number of items to return.${page}${most}`
}

function topSchema({ min, max, above }: QueryCapabilities['top']): Json {
  return jsonObject([
    ['type', 'integer'],
    ['minimum', min],
    ['maximum', above === 'error' ? max : undefined],
  ])
}

/** Arguments that are not in the path. */
function argumentParameters(endpoint: Endpoint & { readonly kind: 'call' }): readonly JsonObject[] {
  const inline = new Set(
    endpoint.resolved.flatMap(segment => (segment.kind === 'operation' ? Object.keys(segment.variables) : [])),
  )
  return endpoint.operation.parameters
    .filter(({ name }) => !inline.has(name))
    .map(each =>
      jsonObject([
        ['name', each.name],
        ['in', 'query'],
        ['required', !each.optional],
        ['description', memberDescription(each)],
        ['schema', valueSchema({ ...each, nullable: false }, 'create', { prefix: schemasPrefix, geoTypes: new Set() })],
      ]),
    )
}

/** What `$select` may name. */
function selectDescription(type: EntityType | undefined): string {
  const names = type?.properties.map(({ name }) => name) ?? []
  return sentences(['Only these properties are returned.', list('Properties', names)])
}

/** What a filter may use. */
function filterDescription(filter: QueryCapabilities['filter']): string {
  const properties = Object.entries(filter.properties)
  const refused = properties.filter(([, each]) => each.support === 'none').map(([path]) => path)
  const limited = properties.flatMap(([path, { support, operators, functions }]) => {
    const only = [...(operators ?? []), ...(functions ?? [])]
    return support === 'none' || (operators === undefined && functions === undefined)
      ? []
      : [`On ${path} only: ${only.join(', ')}.`]
  })
  return sentences([
    'An OData filter expression.',
    list('Operators', supported(filter.operators)),
    list('Functions', supported(filter.functions)),
    list('Lambda operators', supported(filter.lambdas)),
    list('Not by', refused),
    ...limited,
    filter.maxNodes === undefined ? '' : `At most ${filter.maxNodes} terms.`,
  ])
}

/** What items may be sorted by. */
function orderbyDescription({ only, properties, maxKeys }: QueryCapabilities['orderby']): string {
  const refused = Object.keys(properties).filter(path => properties[path] === 'none')
  return sentences([
    'Properties to sort by, each ascending or followed by " desc".',
    list('Properties', only ?? []),
    list('Not by', refused),
    maxKeys === undefined ? '' : `At most ${maxKeys} keys.`,
  ])
}

/** What may be expanded: endpoints of other types can share the query options, so only relations of the type are named. */
function expandDescription(
  { relations, every, maxDepth, nested }: QueryCapabilities['expand'],
  type: EntityType | undefined,
): string {
  const allowed = supported(relations)
  const own = new Set(type?.navigation.map(({ name }) => name))
  return sentences([
    'Relations to include, with nested options in parentheses and semicolons between them.',
    list('Relations', every === true && type !== undefined ? allowed.filter(name => own.has(name)) : allowed),
    list(
      'Nested options',
      nested.map(name => `$${name}`),
    ),
    `At most ${maxDepth} ${maxDepth === 1 ? 'level' : 'levels'}.`,
  ])
}

function searchDescription({ syntax, join, properties }: QueryCapabilities['search']): string {
  return sentences([
    syntax === 'propertyTerms' ? 'Terms of the form "property:term", with their double quotes.' : 'Words and phrases.',
    list('Joined by', join),
    list('Properties', properties),
  ])
}

function supported(record: Readonly<Record<string, Support>>): readonly string[] {
  return Object.keys(record).filter(name => record[name] !== 'none')
}

/** The number of names in a description. The schemas of the document have all of them. */
const mostNames = 60

function list(label: string, names: readonly string[]): string {
  if (names.length === 0) return ''
  const others = names.length - mostNames
  const more = others > 0 ? `, and ${others} more` : ''
  return `${label}: ${names.slice(0, mostNames).join(', ')}${more}.`
}

function sentences(parts: readonly string[]): string {
  return parts.filter(part => part !== '').join(' ')
}
